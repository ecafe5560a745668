"""The reader of `random_state`."""

import numpy as np
import pytest

from acoibl._seeds import child_seed, make_generator, seed_sequence


def first(state):
    return make_generator(state).integers(2**62)


def test_a_seed_says_the_same_in_every_form():
    assert first(7) == first(np.random.SeedSequence(7)) == first(np.random.default_rng(7))
    assert first(np.random.RandomState(7)) == first(np.random.RandomState(7)) != first(8)


def test_a_generator_is_used_and_goes_on():
    rng = np.random.default_rng(1)
    assert make_generator(rng) is rng


@pytest.mark.parametrize("read", [make_generator, seed_sequence])
def test_reading_a_sequence_leaves_it_as_it_was(read):
    given = np.random.SeedSequence(3, spawn_key=(1,), pool_size=8)
    made = read(given)
    (made.bit_generator.seed_seq if read is make_generator else made).spawn(2)
    assert given.n_children_spawned == 0
    assert first(given) == np.random.default_rng(given).integers(2**62)


def test_children_differ_by_their_key():
    parent = seed_sequence(5)
    values = [tuple(child_seed(parent, key).generate_state(2)) for key in (0, 1, 1)]
    assert values[0] != values[1] == values[2]
