"""`erase`, `purge`, `scrub`, `scan`: taking things out for good, and finding what should never have come in.

1. Nothing is erased without a yes: asked on a terminal, `--yes` elsewhere.
2. A receipt is printed whole; what is still pending ends with the exit code of "try again", never with 0.

Never: prints a word of what it erased, or the value of a secret it found.
Spec: ruling 8; wants.md 1; S12.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.errors import InvalidInput, StoreBusy
from recollect.surfaces.cli.address import Call
from recollect.surfaces.cli.keep_progress import progress
from recollect.surfaces.cli.safe import visible

if TYPE_CHECKING:
    from recollect.engine.erase import ErasureReceipt
    from recollect.engine.memory import Memory
    from recollect.engine.scan import Scan

# As `diff` and `grep` have it: the question was answered, and the answer is not the one hoped for.
FOUND = 1
SHOWN = 20

Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


def erase(
    call: Call,
    context: typer.Context,
    item_id: Annotated[str, typer.Option("--id", metavar="ID", help="One memory, and everything made from it.")] = "",
    ref: Annotated[str, typer.Option("--ref", help="Every memory made from this message of yours.")] = "",
    this_session: Annotated[bool, typer.Option("--this-session", help="The conversation --session names.")] = False,
    yes: Yes = False,
) -> None:
    """Erase for good: words, facts made from them, summaries, traces, names. There is no way back.

    With --user alone, everything of that user.

    \b
    recollect erase --id user:me:semantic:5
    recollect erase --ref msg-17 --user ana
    recollect erase --this-session --session monday
    recollect erase --user ana --yes
    """
    is_whole_user = not (item_id or ref or this_session)
    if sum((bool(item_id), bool(ref), this_session)) > 1:
        raise InvalidInput("Say one thing to erase.", hint="One of --id, --ref, --this-session.", reason="many_targets")
    if is_whole_user and not _names_a_user_alone(context, call):
        hint = "--id, --ref, --this-session; or --user alone for everything of a user."
        raise InvalidInput("Say what to erase.", hint=hint, reason="no_target")
    what = f"everything of user {call.user!r}" if is_whole_user else _what(call, item_id, ref)
    _must_agree(call, f"Erase {what} for good?", yes)
    with call.memory() as memory:
        if is_whole_user:
            with progress(call, "erasing") as bar:
                receipt = memory.erase_user(call.user, tenant=call.tenant, on_progress=bar.of)
        else:
            who = {"user": call.user, "session": call.session, "persona": call.persona, "project": call.project}
            chat = memory.session(**who, tenant=call.tenant)
            receipt = chat.erase(item_id) if item_id else chat.erase_ref(ref) if ref else chat.erase_session()
    _tell(call, receipt)


def _names_a_user_alone(context: typer.Context, call: Call) -> bool:
    """Whether --user was said, and nothing that would mean less than the whole user."""
    source = context.get_parameter_source("user")
    is_said = source is not None and source.name == "COMMANDLINE"
    return is_said and not (call.session or call.persona or call.project)


def _what(call: Call, item_id: str, ref: str) -> str:
    if item_id:
        return f"{item_id!r} and everything made from it"
    return f"everything made from message {ref!r}" if ref else f"session {call.session!r} of user {call.user!r}"


def purge(
    call: Call,
    source: Annotated[str, typer.Option("--source", help="tool, web, import, file or external, with a :detail.")],
    yes: Yes = False,
) -> None:
    """Take out a source for good, with everything that was made from it.

    \b
    recollect purge --source web:https://example.org
    recollect purge --source import:old-system --yes
    """
    _must_agree(call, f"Erase everything that came from {source!r} for good?", yes)
    with call.memory() as memory, progress(call, "purging") as bar:
        receipt = memory.purge(source, tenant=call.tenant, on_progress=bar.of)
    _tell(call, receipt)


def scrub(call: Call) -> None:
    """Finish erasures that were pending, now that the readers are gone.

    \b
    recollect scrub
    """
    with call.memory() as memory:
        pending = memory.scrub(tenant=call.tenant)
    if call.as_json:
        call.printer.json({"pending": pending})
    elif not pending:
        call.printer.text("✓ nothing pending: what was erased is in no file", style="bold green")
    for line in pending if not call.as_json else ():
        call.printer.text(f"! {line}", style="yellow")
    _stop_if_pending(bool(pending))


def scan(
    call: Call,
    is_erasing: Annotated[bool, typer.Option("--erase", help="Erase what is found, for good.")] = False,
    yes: Yes = False,
) -> None:
    """Look for secrets in what is already stored; say where and by which rule, never what.

    \b
    recollect scan
    recollect scan --erase --yes
    """
    with call.memory() as memory:
        with progress(call, "scanning", _item_count(memory, call.tenant)) as bar:
            found = memory.scan(tenant=call.tenant, on_progress=bar.count)
        receipts: list[ErasureReceipt] = []
        if is_erasing and len(found.staying) < len(found.elsewhere) + len(found.found):
            _must_agree(call, f"Erase {_counted(found)} for good?", yes)
            with progress(call, "erasing") as bar:
                receipts = [memory.erase_found(found, tenant=call.tenant, on_progress=bar.of)]
    _tell_scan(call, found, receipts)
    _stop_if_pending(any(receipt.pending for receipt in receipts))
    if found.staying or not (found.is_clean or receipts):
        raise typer.Exit(FOUND)


def _counted(found: Scan) -> str:
    others = len(found.elsewhere) - len(found.staying)
    return f"{len(found.found)} memories that hold a secret" + (
        f" and {others} kept answers and recalls" if others else ""
    )


def _item_count(memory: Memory, tenant: str) -> int:
    return sum(count for name, count in memory.stats(tenant=tenant).items() if name not in {"places", "records"})


def _tell_scan(call: Call, found: Scan, receipts: list[ErasureReceipt]) -> None:
    if call.as_json:
        call.printer.json({**found.to_dict(), "erased": [receipt.to_dict() for receipt in receipts]})
        return
    from recollect.engine.scan import guidance
    from recollect.surfaces.cli.show import pairs_view

    rows = [("memories", f"{found.items:,}"), ("with a secret", f"{len(found.found):,}")]
    rows += [("elsewhere", f"{len(found.elsewhere):,}")] if found.elsewhere else []
    rows += [(f"  {code}", f"{count:,}") for code, count in found.codes.items()]
    rows += [("erased", f"{sum(receipt.total for receipt in receipts):,}")] if receipts else []
    call.printer.show(pairs_view(rows))
    for item_id, codes in found.found[:SHOWN]:
        call.printer.text(f"{item_id}  {', '.join(codes)}", style="yellow")
    if len(found.found) > SHOWN:
        call.printer.note(f"and {len(found.found) - SHOWN} more; --json names them all")
    for each in (found.staying if receipts else found.elsewhere)[:SHOWN]:
        call.printer.text(f"{each.kind} in {each.where}  {', '.join(each.codes)}", style="yellow")
    for kind in dict.fromkeys(each.kind for each in (found.staying if receipts else found.elsewhere)):
        call.printer.note(f"{kind}: {guidance(kind)}")
    if found.found and not receipts:
        call.printer.note("`recollect scan --erase` takes them out for good.")


def _must_agree(call: Call, question: str, yes: bool) -> None:
    """Nothing is erased without a yes."""
    if yes:
        return
    if call.as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InvalidInput("Erasing needs a yes.", hint="Add --yes; there is no way back.", reason="not_confirmed")
    if not typer.confirm(visible(question), err=True):
        raise InvalidInput("Nothing was erased.", reason="not_confirmed")


def _tell(call: Call, receipt: ErasureReceipt) -> None:
    if call.as_json:
        call.printer.json(receipt.to_dict())
    else:
        _show(call, receipt)
    _stop_if_pending(bool(receipt.pending))


def _show(call: Call, receipt: ErasureReceipt) -> None:
    from recollect.surfaces.cli.show import pairs_view

    call.printer.text(f"✓ erased {receipt.what}", style="bold green")
    rows = [(f"  {kind}", f"{count:,}") for kind, count in receipt.erased.items()]
    rows += [("  of these made from them", f"{receipt.derived:,}")] if receipt.derived else []
    rows += [("  read again from the rest", f"{receipt.restated:,}")] if receipt.restated else []
    rows += [("  names of places", f"{receipt.places:,}")] if receipt.places else []
    call.printer.show(pairs_view(rows))
    for line in receipt.pending:
        call.printer.text(f"! pending: {line}", style="yellow")
    if receipt.pending:
        call.printer.note("`recollect scrub` finishes it.")
    call.printer.note(receipt.note)


def _stop_if_pending(is_pending: bool) -> None:
    """Bytes that are still in a file are no success; trying again later is what helps."""
    if is_pending:
        raise typer.Exit(StoreBusy.exit_code)
