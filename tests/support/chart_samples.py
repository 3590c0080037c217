"""One view for each chart, in Portuguese and English, with the figures that the page would give an 8B chat model."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from babel import Locale

from advisor.ui.chart_views import (
    Bar,
    BarsView,
    BoundRange,
    ClassLine,
    ConcurrencyView,
    CostBar,
    CostPart,
    CostView,
    Curve,
    GrowthView,
    KeyEntry,
    Mark,
    MemoryPart,
    MemoryView,
    NumberFormat,
    PricePoint,
    PriceSpeedView,
    SpotView,
    Tick,
    number_format,
)

NBSP = "\u00a0"
LANGUAGES = ("en", "pt_BR")


@dataclass(frozen=True)
class Words:
    """A language to write the samples in: its numbers, and the choice between the two wordings."""

    portuguese: bool
    numbers: NumberFormat

    def __call__(self, english: str, portuguese: str) -> str:
        return portuguese if self.portuguese else english

    def number(self, value: float, digits: int = 0) -> str:
        text = f"{value:,.{digits}f}"
        return text.translate(str.maketrans(",.", ".,")) if self.portuguese else text

    def money(self, value: float) -> str:
        before, after = self.numbers.currency
        return f"{before}{self.number(value)}{after}"


def words_of(language: str) -> Words:
    locale = Locale.parse(language)
    return Words(locale.language == "pt", number_format(locale))


def memory_view(words: Words) -> MemoryView:
    sizes = {
        (words("Weights", "Pesos"), "blue"): 14.96,
        (words("KV cache", "Cache KV"), "orange"): 8.0,
        (words("Activations", "Ativações"), "green"): 1.3,
        (words("Engine and reserve", "Motor e reserva"), "grey"): 1.5,
    }
    parts = tuple(
        MemoryPart(
            name,
            role,  # type: ignore[arg-type]
            size,
            words.number(size, 1),
            ((words("Part", "Parte"), name), (words("Size", "Tamanho"), f"{words.number(size, 1)}{NBSP}GiB")),
        )
        for (name, role), size in sizes.items()
    )
    classes = (
        ClassLine(23.5, "24 GB", words("does not fit", "não cabe"), "24 ✕"),
        ClassLine(31.4, "32 GB", words("fits", "cabe"), "32 ✓"),
        ClassLine(47.4, "48 GB", words("fits", "cabe"), "48 ✓"),
    )
    return MemoryView(
        alt=words("25.8 GiB: too much for 24 GB, fits in 32", "25,8 GiB: não cabe em 24 GB, cabe em 32"),
        numbers=words.numbers,
        parts=parts,
        total_label="Total",
        total_text=f"{words.number(25.8, 1)}{NBSP}GiB",
        low_gib=24.6,
        high_gib=27.4,
        classes=classes,
    )


def growth_view(words: Words) -> GrowthView:
    contexts = tuple(1024 * 2 ** (7 * step / 59) for step in range(60))
    cache = tuple(8 * 131_072 * context / 2**30 for context in contexts)
    total = tuple(14.96 + size + 2.8 for size in cache)
    return GrowthView(
        alt=words("The cache grows with the context", "O cache cresce com o contexto"),
        numbers=words.numbers,
        contexts=contexts,
        curves=(
            Curve(words("weights", "pesos"), "blue", (14.96,) * 60),
            Curve(words("KV cache", "cache KV"), "orange", cache),
            Curve("total", "ink", total),
        ),
        ticks=tuple(Tick(1024 * 2**step, f"{2**step}{NBSP}k") for step in range(8)),
        here=Mark(8192, 25.8, words("you: 25.8 GiB", "você: 25,8 GiB")),
        crossing=Mark(15_319, 14.96, words("cache = weights", "cache = pesos")),
        classes=tuple(ClassLine(size * 0.98, f"{size} GB", "", "") for size in (24, 32, 48, 80, 141)),
        x_title=words("Tokens per conversation (8 conversations)", "Tokens por conversa (8 conversas)"),
        y_title="GiB",
    )


POINTS = (
    ("A40", 0.40, 22, "GDDR"),
    ("A6000", 0.49, 25, "GDDR"),
    ("RTX 5090", 0.69, 60, "GDDR"),
    ("L40S", 0.79, 28, "GDDR"),
    ("A100 40 GB", 1.10, 51, "HBM"),
    ("A100 80 GB", 1.39, 66, "HBM"),
    ("RTX PRO 6000", 1.79, 61, "GDDR"),
    ("H100 PCIe", 2.69, 107, "HBM"),
    ("H100 SXM", 2.99, 128, "HBM"),
    ("H200", 3.39, 139, "HBM"),
)
NAMED = {"A40", "RTX 5090", "H100 PCIe", "H200"}


def price_speed_view(words: Words) -> PriceSpeedView:
    points = tuple(
        PricePoint(
            name,
            price,
            speed,
            kind,
            name in NAMED,
            name == "RTX 5090",
            (
                ("GPU", name),
                (words("Price", "Preço"), words.money(price)),
                (words("Speed", "Velocidade"), f"{words.number(speed)} tokens/s"),
            ),
        )
        for name, price, speed, kind in POINTS
    )
    return PriceSpeedView(
        alt=words("A consumer card is enough", "Uma placa de consumidor basta"),
        numbers=words.numbers,
        points=points,
        key=(KeyEntry("HBM", "blue"), KeyEntry("GDDR", "orange")),
        minimum=Tick(20, words("your minimum: 20", "seu mínimo: 20")),
        x_title=words("US$ per hour, lowest reliable price", "US$ por hora, menor preço confiável"),
        y_title=words("Tokens/s per reader", "Tokens/s por leitor"),
    )


def concurrency_view(words: Words) -> ConcurrencyView:
    in_flight = tuple(2 ** (9 * step / 23) for step in range(24))
    per_reader = tuple(88 / (1 + count / 40) for count in in_flight)
    total = tuple(count * speed for count, speed in zip(in_flight, per_reader, strict=True))
    return ConcurrencyView(
        alt=words("More readers, less for each", "Mais leitores, menos para cada um"),
        numbers=words.numbers,
        concurrency=in_flight,
        total=Curve(words("together", "todos juntos"), "blue", total),
        per_reader=Curve(words("each reader", "cada leitor"), "orange", per_reader),
        ticks=tuple(Tick(2**step, str(2**step)) for step in range(10)),
        knee=Mark(64, 64 * 88 / 2.6, words("pays off up to 64", "compensa até 64")),
        here=Mark(8, 88 / 1.2, words("you: 73 tokens/s", "você: 73 tokens/s")),
        bounds=(
            BoundRange(1, 64, words("memory bandwidth", "largura de banda")),
            BoundRange(64, 256, words("computing", "cálculo")),
            BoundRange(256, 512, words("full cache", "cache cheio")),
        ),
        minimum=Tick(20, words("your minimum: 20", "seu mínimo: 20")),
        x_title=words("Conversations at once", "Conversas ao mesmo tempo"),
        y_title="Tokens/s",
    )


def spot_view(words: Words) -> SpotView:
    rates = tuple(15 * step / 59 for step in range(60))
    return SpotView(
        alt=words("Spot breaks even at 11 interruptions a day", "O spot empata em 11 interrupções por dia"),
        numbers=words.numbers,
        rates=rates,
        spot=Curve("spot", "orange", tuple(307 + 18.5 * rate for rate in rates)),
        on_demand=Curve(
            words(f"on demand, {words.money(511)}", f"sob demanda, {words.money(511)}"), "blue", (511.0,) * 60
        ),
        here=Mark(2, 344, f"spot, {words.money(344)}"),
        crossing=Mark(11, 511, words("break even at 11 a day", "empata em 11 por dia")),
        x_title=words("Interruptions per day", "Interrupções por dia"),
        y_title=words("US$ per month", "US$ por mês"),
    )


def cost_view(words: Words) -> CostView:
    key = (
        KeyEntry(words("In use", "Em uso"), "blue"),
        KeyEntry(words("Idle", "Parada"), "grey"),
        KeyEntry(words("Storage", "Armazenamento"), "orange"),
        KeyEntry(words("Egress", "Saída de dados"), "green"),
    )
    bills = {"RTX 5090": (200, 300, 9, 2), "A40": (117, 172, 8, 2), "H200": (990, 1484, 9, 2)}
    bars = []
    for gpu, amounts in bills.items():
        parts = tuple(
            CostPart(entry.role, usd, ((words("Part", "Parte"), entry.label), ("US$", words.number(usd))))
            for entry, usd in zip(key, amounts, strict=True)
        )
        bars.append(CostBar(gpu, parts, words.money(sum(amounts))))
    return CostView(
        alt=words("More than half pays idle hours", "Mais da metade paga horas paradas"),
        numbers=words.numbers,
        bars=tuple(bars),
        key=key,
    )


def diagnosis_view(words: Words) -> BarsView:
    rows = (
        (words("Today", "Hoje"), 30, "orange"),
        (words("CUDA graphs on", "CUDA graphs ligados"), 78, "blue"),
        (words("FP8 weights", "Pesos em FP8"), 143, "blue"),
        (words("An H100 (HBM3)", "Trocar por H100 (HBM3)"), 146, "blue"),
        (words("4-bit weights", "Pesos em 4 bits"), 240, "blue"),
        (words("8 conversations", "8 conversas juntas"), 480, "blue"),
    )
    bars = tuple(
        Bar(
            name,
            speed,
            words.number(speed) if speed == 30 else f"{words.number(speed)} ({words.number(speed / 30, 1)}×)",
            role,  # type: ignore[arg-type]
            ((words("Change", "Mudança"), name), ("Tokens/s", words.number(speed))),
        )
        for name, speed, role in rows
    )
    return BarsView(
        alt=words("You are at 37% of the ceiling", "Você está em 37% do teto"),
        numbers=words.numbers,
        bars=bars,
        rule=Tick(81, words("ceiling: 81", "teto: 81")),
    )


def pair_view(words: Words) -> BarsView:
    rows = (("A100 40 GB, HBM2", 51, "blue"), ("A40 48 GB, GDDR6", 22, "orange"))
    bars = tuple(
        Bar(
            name,
            speed,
            f"{speed} tokens/s",
            role,  # type: ignore[arg-type]
            (("GPU", name), (words("Speed", "Velocidade"), f"{speed} tokens/s")),
        )
        for name, speed, role in rows
    )
    return BarsView(alt=words("HBM beats GDDR", "HBM ganha da GDDR"), numbers=words.numbers, bars=bars)


VIEWS: dict[str, Callable[[Words], Any]] = {
    "memory_chart": memory_view,
    "cache_growth_chart": growth_view,
    "price_speed_chart": price_speed_view,
    "concurrency_chart": concurrency_view,
    "spot_chart": spot_view,
    "cost_chart": cost_view,
    "diagnosis_chart": diagnosis_view,
    "comparison_chart": pair_view,
}
"""The function of `advisor.ui.charts` and the sample it draws."""


def sample(chart: str, language: str) -> Any:
    """The sample view of a chart function in a language."""
    return VIEWS[chart](words_of(language))
