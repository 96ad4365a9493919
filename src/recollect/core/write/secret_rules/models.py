"""Keys of model providers and of the services around them, told by their shape alone.

Never: needs a vendor's name nearby (see vendors.py).
Spec: ruling 10; reliability sheet S4.
"""

from __future__ import annotations

from recollect.core.write.secret_rules.checks import random_enough
from recollect.core.write.secret_rules.developer import UUID
from recollect.core.write.secret_rules.rule import LEFT, RIGHT, Rule


def _token(code: str, about: str, keywords: tuple[str, ...], pattern: str) -> Rule:
    return Rule(code=code, about=about, keywords=keywords, pattern=LEFT + pattern, check=random_enough)


MODELS: tuple[Rule, ...] = (
    _token("anthropic_key", "Anthropic key", ("sk-ant-",), r"sk-ant-[a-z0-9]{3,12}-[A-Za-z0-9_-]{24,200}"),
    _token("openrouter_key", "OpenRouter key", ("sk-or-",), r"sk-or-(?:v[0-9]-)?[a-f0-9]{48,64}"),
    _token("langfuse_key", "Langfuse secret key", ("sk-lf-",), rf"sk-lf-{UUID}"),
    _token(
        "openai_key",
        "OpenAI key (project, service account, admin or classic), and keys of the same shape",
        ("sk-",),
        r"sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,200}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[A-Za-z0-9]{32,64}"
        + RIGHT
        + ")",
    ),
    _token(
        "huggingface_token", "Hugging Face token", ("hf_", "api_org_"), r"(?:hf_|api_org_)[A-Za-z0-9]{34,40}" + RIGHT
    ),
    _token("groq_key", "Groq key", ("gsk_",), r"gsk_[A-Za-z0-9]{48,56}" + RIGHT),
    _token("replicate_token", "Replicate token", ("r8_",), r"r8_[A-Za-z0-9]{37,40}" + RIGHT),
    _token("perplexity_key", "Perplexity key", ("pplx-",), r"pplx-[A-Za-z0-9]{40,64}" + RIGHT),
    _token("xai_key", "xAI key", ("xai-",), r"xai-[A-Za-z0-9]{70,90}" + RIGHT),
    _token("fireworks_key", "Fireworks key", ("fw_",), r"fw_[A-Za-z0-9]{22,28}" + RIGHT),
    _token("together_key", "Together key", ("tgp_v1_",), r"tgp_v1_[A-Za-z0-9_-]{40,50}"),
    _token("cerebras_key", "Cerebras key", ("csk-",), r"csk-[a-z0-9]{44,56}" + RIGHT),
    _token("nvidia_key", "NVIDIA API key", ("nvapi-",), r"nvapi-[A-Za-z0-9_-]{60,72}"),
    _token("elevenlabs_key", "ElevenLabs key", ("sk_",), r"sk_[a-f0-9]{48}" + RIGHT),
    _token("pinecone_key", "Pinecone key", ("pcsk_",), r"pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{56,68}"),
    _token("langsmith_key", "LangSmith key", ("lsv2_",), r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    _token("tavily_key", "Tavily key", ("tvly-",), r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,40}" + RIGHT),
    _token("jina_key", "Jina key", ("jina_",), r"jina_[a-f0-9]{32}[A-Za-z0-9_-]{20,40}"),
    _token("voyage_key", "Voyage key", ("pa-",), r"pa-[A-Za-z0-9_-]{43}" + RIGHT),
    _token("firecrawl_key", "Firecrawl key", ("fc-",), r"fc-[a-f0-9]{32}" + RIGHT),
)
