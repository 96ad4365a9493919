"""Forms that carry a secret whoever issued it: URLs with a password, headers, JWT, private keys.

Never: flags a URL, a header name or a BEGIN line that carries nothing.
Spec: ruling 10; reliability sheet S4.
"""

from __future__ import annotations

from recollect.core.write.secret_rules.checks import (
    base58_checksum,
    basic_credentials,
    is_placeholder,
    jwt_header,
    looks_random,
    random_enough,
)
from recollect.core.write.secret_rules.rule import LEFT, RIGHT, Gate, Hit, Rule

# User, colon, password (the span), at sign. A password may hold an unescaped "@": the last one before the host counts.
_USERINFO = r"://[^\s:/?#@\"'<>`\[]{0,128}:([^\s/?#\"'<>`]{1,200})@(?=[A-Za-z0-9\[_$.-])"


def _real_password(hit: Hit) -> bool:
    """Not ***, ${PASSWORD}, <password> or the word itself."""
    return not is_placeholder(hit.value)


def _uri(code: str, about: str, schemes: str, keywords: tuple[str, ...]) -> Rule:
    return Rule(
        code=code,
        about=about,
        keywords=keywords,
        gate=Gate.URL,
        pattern=rf"(?i:{schemes}){_USERINFO}",
        check=_real_password,
    )


_URIS: tuple[Rule, ...] = (
    _uri("mongodb_uri", "MongoDB connection string with a password", r"mongodb(?:\+srv)?", ("mongodb",)),
    _uri(
        "postgres_uri",
        "PostgreSQL connection string with a password",
        r"postgres(?:ql)?(?:\+[a-z0-9]{1,12})?",
        ("postgres",),
    ),
    _uri(
        "mysql_uri",
        "MySQL or MariaDB connection string with a password",
        r"(?:mysql|mariadb)(?:\+[a-z0-9]{1,12})?",
        ("mysql", "mariadb"),
    ),
    _uri("redis_uri", "Redis connection string with a password", r"rediss?", ("redis",)),
    _uri("amqp_uri", "AMQP connection string with a password", r"amqps?", ("amqp",)),
    _uri("url_credentials", "any URL with a password", "", ("://",)),
)

# Without an END line only what looks like lines of a key belongs to it.
_PEM_BODY = (
    r"(?:(?:[^-]|-(?!----)){32,20000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:[\s\"'+,]|\\[nr]|[A-Za-z0-9+/=]{16,80}){2,400}+)"
)


def _key_material(hit: Hit) -> bool:
    """A block that holds lines of a key, not a description of one."""
    return any(looks_random(word, distinct=8) and len(word) >= 16 for word in hit.value.replace("\\n", " ").split()[3:])


def _pem(code: str, about: str, kind: str, keywords: tuple[str, ...]) -> Rule:
    return Rule(
        code=code,
        about=about,
        keywords=keywords,
        gate=Gate.WORD,
        pattern=rf"-----BEGIN {kind}-----{_PEM_BODY}",
        check=_key_material,
    )


_KEYS: tuple[Rule, ...] = (
    _pem("openssh_private_key", "OpenSSH private key", "OPENSSH PRIVATE KEY", ("begin openssh private",)),
    _pem("pgp_private_key", "PGP private key block", "PGP PRIVATE KEY BLOCK", ("begin pgp private",)),
    _pem(
        "pem_private_key",
        "PEM private key (RSA, EC, DSA, PKCS #8)",
        r"(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY",
        ("private key-----",),
    ),
    Rule(
        code="putty_private_key",
        about="PuTTY private key",
        keywords=("private-lines",),
        gate=Gate.WORD,
        pattern=r"Private-Lines: [0-9]{1,4}\s{1,4}((?:[A-Za-z0-9+/=]{16,80}\s{0,4}){1,400})",
    ),
    Rule(
        code="age_secret_key",
        about="age secret key",
        keywords=("age-secret-key-",),
        pattern=r"(?i:AGE-SECRET-KEY-(?:PQ-)?1[02-9AC-HJ-NP-Z]{50,2000})",
    ),
    Rule(
        code="bitcoin_private_key",
        about="extended private key or wallet import key, with its checksum",
        keywords=(),
        pattern=LEFT + r"(?:[xyzt]prv[1-9A-HJ-NP-Za-km-z]{107}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51})" + RIGHT,
        check=base58_checksum,
    ),
    Rule(
        code="ethereum_private_key",
        about="64 hex digits introduced as a private key",
        keywords=("private", "priv_key", "privkey", "signer", "wallet"),
        pattern=r"(?i:priv(?:ate)?[_ -]?key|wallet[_ -]?key|signer[_ -]?key)[^\n]{0,40}?[\s\"'=:(>`,]"
        r"((?:0x)?[a-fA-F0-9]{64})" + RIGHT,
        check=random_enough,
    ),
    Rule(
        code="wireguard_key",
        about="WireGuard private or preshared key",
        keywords=("privatekey", "presharedkey"),
        pattern=r"(?:PrivateKey|PresharedKey)\s{0,4}=\s{0,4}([A-Za-z0-9+/]{43}=)",
        check=random_enough,
    ),
)


def _bearer(hit: Hit) -> bool:
    """A bearer value with a digit in it or of great length; "bearer of bad news" has neither."""
    return looks_random(hit.value, distinct=6)


_HEADERS: tuple[Rule, ...] = (
    Rule(
        code="jwt",
        about="JSON web token or encrypted token whose header decodes",
        keywords=("eyj",),
        pattern=LEFT
        + r"eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{0,2000}(?:\.[A-Za-z0-9_-]{1,8000}){0,2}",
        check=jwt_header,
    ),
    Rule(
        code="basic_auth",
        about="credentials of HTTP basic authentication",
        keywords=("basic",),
        gate=Gate.WORD,
        pattern=r"(?<![A-Za-z])(?i:basic)\s{1,4}([A-Za-z0-9+/_-]{6,400}={0,2})(?![A-Za-z0-9+/=_-])",
        check=basic_credentials,
    ),
    Rule(
        code="bearer_token",
        about="bearer token of a header or a sentence",
        keywords=("bearer",),
        pattern=r"(?<![A-Za-z])(?i:bearer)[\"']?[\s:=]{1,4}[\"']?([A-Za-z0-9._~+/-]{16,4000}(?<!\.)={0,2})",
        check=_bearer,
    ),
    Rule(
        code="authorization_header",
        about="value of an Authorization header of another scheme",
        keywords=("authorization",),
        gate=Gate.WORD,
        pattern=(
            r"(?<![A-Za-z])(?i:(?:proxy-)?authorization)[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
            r"(?:(?i:token|apikey|api-key|key|ssws|digest|negotiate|ntlm|aws4-hmac-sha256)\s{1,3})?([^\s\"'<>,;]{12,4000})"
        ),
        check=lambda hit: looks_random(hit.value, distinct=6) and "(" not in hit.value,
    ),
    Rule(
        code="session_cookie",
        about="session cookie",
        keywords=("sessionid=", "session_id=", "phpsessid=", "jsessionid=", "connect.sid=", "session=", "_session="),
        pattern=(
            r"(?<![A-Za-z])(?i:phpsessid|jsessionid|connect\.sid|[a-z_]{0,20}session(?:_?id)?)="
            r"([A-Za-z0-9%._~+/:-]{16,1000}={0,2})(?![(\[])"
        ),
        check=random_enough,
    ),
    Rule(
        code="curl_user",
        about="user and password given to a command",
        keywords=(" -u", "--user"),
        gate=Gate.WORD,
        pattern=r"(?:curl|wget|http)\s[^\n]{0,200}?(?:-u|--user)[ =]{1,2}[\"']?[^\s:\"']{1,64}:([^\s\"']{1,128})",
        check=_real_password,
        token_shaped=False,
    ),
    Rule(
        code="command_password",
        about="password given to a command as an option",
        keywords=("sshpass", " -p", "-pass", "/user:"),
        gate=Gate.WORD,
        pattern=(
            r"(?:sshpass\s{1,4}-p\s{0,4}|(?:mysql|mariadb)[a-z]{0,8}\s[^\n]{0,80}?\s-p|-pass(?:in|out)? pass:"
            r"|net use [^\n]{1,80}?/user:\S{1,40}\s{1,3})[\"']?([^\s\"']{3,128})"
        ),
        check=_real_password,
        token_shaped=False,
    ),
)

CARRIERS: tuple[Rule, ...] = (*_KEYS, *_URIS, *_HEADERS)
