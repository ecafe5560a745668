"""How each carried table is made from the members of a carrier.

What is changed on the way is written at each dataset: names and codes of categories, columns that
are no features, and three special cases (segmentation, transfusion, annealing).
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from carriers import (
    COMMON,
    DDALPHA,
    KEEL,
    MLBENCH,
    ORANGE2,
    ORANGE3,
    WEKA,
    Carrier,
    Rows,
    arff_rows,
    blank_rows_after_header,
    keel_rows,
    plain_rows,
    tab_rows,
)


@dataclass(frozen=True)
class Recipe:
    """How one table is made from members of one carrier."""

    carrier: Carrier
    members: tuple[str, ...]
    read: Callable[..., Rows]
    columns: str  # names in order, the class last; "#" ends a numeric one, "~" is a blank
    maps: dict[str, dict[str, str | None]] = field(default_factory=dict)
    change: str = "nothing"


# ------------------------------------------------------------------------------- single datasets


def annealing_rows(text: str) -> Rows:
    """The question mark means not applicable (the UCI's note); codes lose their leading zeros."""
    return [[_annealing_cell(cell) for cell in row] for row in tab_rows(text)]


def _annealing_cell(cell: str | None) -> str:
    if cell is None:
        return "not_applicable"
    return (cell.lstrip("0") or "0") if cell.isdigit() else cell


def first(n: int, read: Callable[..., Rows]) -> Callable[..., Rows]:
    """Only the first n rows (the UCI's training file)."""
    return lambda *texts: read(*texts)[:n]


def without_first_column(read: Callable[..., Rows]) -> Callable[..., Rows]:
    """All but an identifier in front."""
    return lambda *texts: [row[1:] for row in read(*texts)]


def transfusion_rows(text: str) -> Rows:
    """The carrier leaves out monetary, which is 250 times the frequency in every row."""
    rows = blank_rows_after_header(text)
    return [[r, f, str(250 * int(f)), t, c] for r, f, t, c in rows]


def wpbc_rows(text: str) -> Rows:
    """Identifier and time left out; the class moved last."""
    rows = plain_rows(text)[1:]
    return [[*row[3:], row[1]] for row in rows]


def keel_segment_rows(text: str) -> Rows:
    """Numbers rounded to six significant digits, as in Weka's copy, which the literature uses."""
    return [[*(f"{float(c):.6g}" for c in row[:-1]), row[-1]] for row in keel_rows(text)]


def monks_rows(*texts: str) -> Rows:
    """The training rows, then all 432 combinations, without the names of the instances."""
    return tab_rows(*texts, drop=("instance",))


_NO_IS_1 = ("STEROID", "LIVER_BIG", "HISTOLOGY")
_YES_IS_1 = (
    *("ANTIVIRALS", "FATIGUE", "MALAISE", "ANOREXIA", "LIVER_FIRM", "SPLEEN_PALPABLE"),
    *("SPIDERS", "ASCITES", "VARICES"),
)
_HEPATITIS_SIGNS = {
    sign: {"1": "no", "2": "yes"} if sign in _NO_IS_1 else {"1": "yes", "2": "no"}
    for sign in _NO_IS_1 + _YES_IS_1
}
_BREAST_IMAGE = [
    *("radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity"),
    *("concave_points", "symmetry", "fractal_dimension"),
]
_ZOO = (
    "hair feathers eggs milk airborne aquatic predator toothed backbone breathes venomous fins "
    "legs tail domestic catsize"
)
_DERMATOLOGY = {
    "psoriasis": "1",
    "seboreic dermatitis": "2",
    "lichen planus": "3",
    "pityriasis rosea": "4",
    "cronic dermatitis": "5",
    "chronic dermatitis": "5",
    "pityriasis rubra pilaris": "6",
}


def _numbered(prefix: str, n: int, width: int = 1) -> str:
    return " ".join(f"{prefix}{i:0{width}d}#" for i in range(1, n + 1))


RECIPES: dict[str, Recipe] = {
    "annealing": Recipe(
        ORANGE3,
        ("anneal.tab",),
        annealing_rows,
        "family product-type steel carbon# hardness# temper_rolling condition formability "
        "strength# non-ageing surface-finish surface-quality enamelability bc bf bt bw/me bl m "
        "chrom phos cbond marvi exptl ferro corr blue/bright/varn/clean lustre jurofm s p shape "
        "thick# width# len# oil bore packing class",
        change="'?' is written as the category not_applicable, codes without leading zeros",
    ),
    "breast-l": Recipe(
        WEKA,
        ("breast-cancer.arff",),
        arff_rows,
        "age menopause tumor-size inv-nodes node-caps deg-malig breast breast-quad irradiat class",
    ),
    "breast-p": Recipe(
        ORANGE2,
        ("wpbc.csv",),
        wpbc_rows,
        " ".join(f"{part}_{name}#" for part in ("mean", "se", "worst") for name in _BREAST_IMAGE)
        + " tumor_size# lymph_nodes# class",
        change="identifier and time left out",
    ),
    "chess": Recipe(
        KEEL,
        ("chess.dat",),
        keel_rows,
        "bkblk bknwy bkon8 bkona bkspr bkxbq bkxcr bkxwp blxwp bxqsq cntxt dsopp dwipd hdchk katri "
        "mulch qxmsq r2ar8 reskd reskr rimmx rkxwp rxmsq simpl skach skewr skrxp spcop stlmt thrsk "
        "wkcti wkna8 wknck wkovl wkpos wtoeg class",
    ),
    "credit-g": Recipe(
        WEKA,
        ("credit-g.arff",),
        arff_rows,
        "checking_status duration# credit_history purpose credit_amount# savings_status employment "
        "installment_commitment# personal_status other_parties residence_since# property_magnitude "
        "age# other_payment_plans housing existing_credits# job num_dependents# own_telephone "
        "foreign_worker class",
    ),
    "dermatology": Recipe(
        ORANGE3,
        ("dermatology.tab",),
        tab_rows,
        "erythema scaling definite_borders itching koebner_phenomenon polygonal_papules "
        "follicular_papules oral_mucosal_involvement knee_and_elbow_involvement scalp_involvement "
        "family_history melanin_incontinence eosinophils_in_the_infiltrate PNL_infiltrate "
        "fibrosis_of_the_papillary_dermis exocytosis acanthosis hyperkeratosis parakeratosis "
        "clubbing_of_the_rete_ridges elongation_of_the_rete_ridges "
        "thinning_of_the_suprapapillary_epidermis spongiform_pustule munro_microabcess "
        "focal_hypergranulosis disappearance_of_the_granular_layer "
        "vacuolisation_and_damage_of_basal_layer spongiosis saw-tooth_appearance_of_retes "
        "follicular_horn_plug perifollicular_parakeratosis inflammatory_monoluclear_inflitrate "
        "band-like_infiltrate Age# class",
        {"class": _DERMATOLOGY},
        "class names back to the UCI's numbers",
    ),
    "ecoli": Recipe(
        COMMON,
        ("ecoli/ecoli.data.txt",),
        without_first_column(lambda *texts: plain_rows(*texts, separator=None)),
        "mcg# gvh# lip# chg# aac# alm1# alm2# class",
        change="the sequence name left out",
    ),
    "hay": Recipe(
        ORANGE3,
        ("hayes-roth_learn.tab",),
        lambda text: tab_rows(text, drop=("name",)),
        "hobby age educational_level marital_status class",
        change="the name feature left out",
    ),
    "hepatitis": Recipe(
        COMMON,
        ("hepatitis/hepatitis.data.txt",),
        lambda text: plain_rows(text, class_first=True),
        "AGE# SEX STEROID ANTIVIRALS FATIGUE MALAISE ANOREXIA LIVER_BIG LIVER_FIRM SPLEEN_PALPABLE "
        "SPIDERS ASCITES VARICES BILIRUBIN# ALK_PHOSPHATE# SGOT# ALBUMIN# PROTIME# HISTOLOGY class",
        {
            "SEX": {"1": "female", "2": "male"},
            "class": {"1": "DIE", "2": "LIVE"},
            **_HEPATITIS_SIGNS,
        },
        "codes 1 and 2 as words, as Weka names them",
    ),
    "ionosphere": Recipe(
        WEKA,
        ("ionosphere.arff",),
        arff_rows,
        _numbered("a", 34, 2) + " class",
    ),
    "liver-disorders": Recipe(
        KEEL,
        ("bupa.dat",),
        keel_rows,
        "mcv# alkphos# sgpt# sgot# gammagt# drinks# class",
    ),
    "lymphography": Recipe(
        ORANGE3,
        ("lymphography.tab",),
        tab_rows,
        "lymphatics block_of_affere bl_of_lymph_c bl_of_lymph_s by_pass extravasates "
        "regeneration_of early_uptake_in lym_nodes_dimin# lym_nodes_enlar# changes_in_lym "
        "defect_in_node changes_in_node changes_in_stru special_forms dislocation_of "
        "exclusion_of_no no_of_nodes_in# class",
        {
            "defect_in_node": {"lac marginal": "lac_margin", "lac central": "lac_central"},
            "changes_in_node": {"lac marginal": "lac_margin", "lac central": "lac_central"},
            "changes_in_stru": {"drop-like": "drop_like"},
            "class": {"malign lymph": "malign_lymph"},
        },
        "blanks and hyphens in category names as underscores",
    ),
    "monks": Recipe(
        ORANGE3,
        ("monks-1_learn.tab", "monks-1_test.tab"),
        monks_rows,
        "head_shape body_shape is_smilling holding jacket_color has_tie class",
        change="the instance name left out",
    ),
    "monks-2": Recipe(
        ORANGE3,
        ("monks-2_learn.tab", "monks-2_test.tab"),
        monks_rows,
        "head_shape body_shape is_smilling holding jacket_color has_tie class",
        change="the instance name left out",
    ),
    "monks-3": Recipe(
        ORANGE3,
        ("monks-3_learn.tab", "monks-3_test.tab"),
        monks_rows,
        "a1 a2 a3 a4 a5 a6 class",
        change="the instance name left out",
    ),
    "pima": Recipe(
        WEKA,
        ("diabetes.arff",),
        arff_rows,
        "preg# plas# pres# skin# insu# mass# pedi# age# class",
    ),
    "pop": Recipe(
        ORANGE3,
        ("post-operative.tab",),
        tab_rows,
        "L-CORE L-SURF L-O2 L-BP SURF-STBL CORE-STBL BP-STBL COMFORT class",
    ),
    "s-heart": Recipe(
        DDALPHA,
        ("heart.txt.gz",),
        blank_rows_after_header,
        "age# sex chest resting_blood_pressure# serum_cholestoral# fasting_blood_sugar "
        "resting_electrocardiographic_results maximum_heart_rate_achieved# exercise_induced_angina "
        "oldpeak# slope number_of_major_vessels# thal class",
        {"class": {"1": "absent", "2": "present"}},
        "classes 1 and 2 as words",
    ),
    "segmentation": Recipe(
        KEEL,
        ("segment.dat",),
        keel_segment_rows,
        "region-centroid-col# region-centroid-row# region-pixel-count# short-line-density-5# "
        "short-line-density-2# vedge-mean# vegde-sd# hedge-mean# hedge-sd# intensity-mean# "
        "rawred-mean# rawblue-mean# rawgreen-mean# exred-mean# exblue-mean# exgreen-mean# "
        "value-mean# saturation-mean# hue-mean# class",
        {
            "class": {
                "1": "brickface",
                "2": "sky",
                "3": "foliage",
                "4": "cement",
                "5": "window",
                "6": "path",
                "7": "grass",
            }
        },
        "numbers rounded to six significant digits, as in Weka's copy, which the literature uses; "
        "classes 1 to 7 as words",
    ),
    "soybean": Recipe(
        WEKA,
        ("soybean.arff",),
        first(307, arff_rows),
        "date plant-stand precip temp hail crop-hist area-damaged severity seed-tmt germination "
        "plant-growth leaves leafspots-halo leafspots-marg leafspot-size leaf-shread leaf-malf "
        "leaf-mild stem lodging stem-cankers canker-lesion fruiting-bodies external-decay mycelium "
        "int-discolor sclerotia fruit-pods fruit-spots seed mold-growth seed-discolor seed-size "
        "shriveling roots class",
        change="the first 307 rows (the UCI's training file)",
    ),
    "soybean-full": Recipe(
        WEKA,
        ("soybean.arff",),
        arff_rows,
        "date plant-stand precip temp hail crop-hist area-damaged severity seed-tmt germination "
        "plant-growth leaves leafspots-halo leafspots-marg leafspot-size leaf-shread leaf-malf "
        "leaf-mild stem lodging stem-cankers canker-lesion fruiting-bodies external-decay mycelium "
        "int-discolor sclerotia fruit-pods fruit-spots seed mold-growth seed-discolor seed-size "
        "shriveling roots class",
    ),
    "transfusion": Recipe(
        DDALPHA,
        ("bloodtransfusion.txt.gz",),
        transfusion_rows,
        "recency# frequency# monetary# time# class",
        change="monetary, which the carrier leaves out, computed as 250 times the frequency",
    ),
    "voting": Recipe(
        WEKA,
        ("vote.arff",),
        arff_rows,
        "handicapped-infants water-project-cost-sharing adoption-of-the-budget-resolution "
        "physician-fee-freeze el-salvador-aid religious-groups-in-schools anti-satellite-test-ban "
        "aid-to-nicaraguan-contras mx-missile immigration synfuels-corporation-cutback "
        "education-spending superfund-right-to-sue crime duty-free-exports "
        "export-administration-act-south-africa class",
    ),
    "zoo": Recipe(
        ORANGE3,
        ("zoo.tab",),
        lambda text: tab_rows(text, drop=("name",)),
        f"{_ZOO} class",
        maps={sign: {"0": "false", "1": "true"} for sign in _ZOO.split() if sign != "legs"},
        change="the animal's name left out; 0 and 1 as words",
    ),
    "glass": Recipe(
        WEKA,
        ("glass.arff",),
        arff_rows,
        "RI# Na# Mg# Al# Si# K# Ca# Ba# Fe# class",
    ),
    "vehicle": Recipe(
        COMMON,
        tuple(f"vehicle/xa{letter}.dat.txt" for letter in "abcdefghi"),
        lambda *texts: plain_rows(*texts, separator=None),
        "COMPACTNESS# CIRCULARITY# DISTANCE~CIRCULARITY# RADIUS~RATIO# PR.AXIS~ASPECT~RATIO# "
        "MAX.LENGTH~ASPECT~RATIO# SCATTER~RATIO# ELONGATEDNESS# PR.AXIS~RECTANGULARITY# "
        "MAX.LENGTH~RECTANGULARITY# SCALED~VARIANCE_MAJOR# SCALED~VARIANCE_MINOR# "
        "SCALED~RADIUS~OF~GYRATION# SKEWNESS~ABOUT_MAJOR# SKEWNESS~ABOUT_MINOR# "
        "KURTOSIS~ABOUT_MAJOR# KURTOSIS~ABOUT_MINOR# HOLLOWS~RATIO# class",
    ),
    "sonar": Recipe(
        MLBENCH,
        ("Sonar.rda",),
        lambda text: plain_rows(text)[1:],
        _numbered("attribute_", 60) + " class",
        {"class": {"M": "Mine", "R": "Rock"}},
        "M and R as words",
    ),
    "spectf": Recipe(
        COMMON,
        ("spect_f/SPECTF.train.txt", "spect_f/SPECTF.test.txt"),
        lambda *texts: plain_rows(*texts, class_first=True),
        " ".join(f"F{i}R# F{i}S#" for i in range(1, 23)) + " class",
    ),
    "satimage": Recipe(
        KEEL,
        ("satimage.dat",),
        keel_rows,
        _numbered("A", 36) + " class",
    ),
}
