"""The table of everything the secret finder knows, in order of precedence.

Where two rules claim the same characters, the earlier one names the finding: a Stripe key behind "api key:" is a
Stripe key. A code may have several rules (one per way of writing it down); codes never change their meaning.

Never: is read before a text shows one of the gates' features; expressions are compiled on first use, not on import.
Spec: ruling 10; reliability sheet S4.
"""

from __future__ import annotations

from recollect.core.write.secret_rules.business import BUSINESS
from recollect.core.write.secret_rules.carriers import CARRIERS
from recollect.core.write.secret_rules.cloud import CLOUD
from recollect.core.write.secret_rules.developer import DEVELOPER
from recollect.core.write.secret_rules.models import MODELS
from recollect.core.write.secret_rules.nearby import NEARBY, PRODUCT_KEY
from recollect.core.write.secret_rules.personal import PERSONAL
from recollect.core.write.secret_rules.prose import PROSE
from recollect.core.write.secret_rules.rule import Gate, Hit, Rule, compiled
from recollect.core.write.secret_rules.vendors import VENDORS

RULES: tuple[Rule, ...] = (
    *CLOUD,
    *DEVELOPER,
    *MODELS,
    *BUSINESS,
    *CARRIERS,
    *VENDORS,
    *PERSONAL,
    PRODUCT_KEY,
    *PROSE,
    *NEARBY,
)

__all__ = ["RULES", "Gate", "Hit", "Rule", "compiled"]
