"""Which words after "the password is" say something about the password instead of being it.

Never: decides alone; `prose.py` asks it about single plain words.
Spec: ruling 10 (markers match words); reliability sheet S4.
"""

from __future__ import annotations

# States, judgements, verbs and small words that follow "password is", "token is", "pin:" and their like in talk.
_TALK = """
    a about above absent accepted active actually added admin after again age all allowed already also always
    am an and another any anything applied are as asked associated at attached auto automatic available awful
    back bad banned base based basic be because been before being below best better between blank blocked both
    breached broken bug built but by bye cached can cannot case changed checked clear clearly click clicked
    common complete complex complicated compromised confidential configured confirmed consistent contained
    convenient copied correct corrupt crackable cracked created critical current currently cut dead decent
    default defined definitely deleted denied deprecated derived different difficult disabled displayed
    disposable do does done down due dumb each easily easy either email embedded empty encoded encrypted
    enough enter entered essential even everything exactly exists expired expiring exposed extremely false
    fine first fixed for forced forever forgotten form free fresh from fully funny generated generic gone good
    great guarded guessable guessed half handled handy hard hardcoded hashed have held her here hers hidden
    his honestly hopeless horrible how identical if ignored illegal immutable important impossible in inactive
    included incorrect indeed inherited input insecure inside instead invalid is issued it its itself just
    kept key kind known lame last later leaked left less like limited literally live local locked long longer
    lost lousy lovely lower lowercase made mandatory masked match matched matching maybe me meant memorable
    memorised memorized mine mismatched missing more most much must my name near necessary needed neither
    never new next nice no none nope normal not nothing now null obfuscated obscure obsolete obvious of off ok
    okay old on once one only open optional or other our ours out outdated over overdue own part partial
    passed pasted perfect permanent personal plain plaintext please pointless poor popular possible present
    pretty preventing printed private probably problem protected provided public question quite random rather
    read ready real really recent recorded recoverable recovered redacted refused rejected related relevant
    removed renewed replaced required reset restricted retrieved returned reused revealed revoked right risky
    rotated rubbish safe safer salted same saved second secret secure secured see sensitive sent set shared
    short should shown similar simple simply single so solid some someone something soon special specific
    static still stolen stored string strong stronger stuck stupid such sufficient supplied supposed sure
    taken temporary terrible text than that the their theirs them then there therefore these they thing this
    those though tied to today tomorrow too tough tracked transmitted trivial true typed typically ugly
    unavailable unchanged undefined under understood unencrypted unhashed unique unknown unless unlocked
    unnecessary unreadable unsafe unset until unusable unused up updated upper uppercase urgent us used useful
    useless user using usual usually valid validated verified very via visible vital vulnerable wanted was way
    weak weaker weird well what whatever when where whether which while who whose why will with within without
    working worse worthless would written wrong yes yesterday yet you your yours zero bcrypt argon scrypt sha
    md base64 hash hex json yaml utf ascii unicode oauth sso saml ldap kerberos jwt uuid value values number
    numbers strings letters characters digits symbols word words phrase password passwords passphrase passcode
    username login pin token credentials credential split data args kwargs params result response row
    item payload body config settings auth details info field query line lines entry record session cookie object
"""
NOT_A_PASSWORD: frozenset[str] = frozenset(_TALK.split())

# Endings of participles, adjectives and adverbs; a plain lower-case word with one of them is talk, not a password.
TALKING_ENDINGS: tuple[str, ...] = ("ed", "ing", "able", "ible", "ly", "less", "ful", "ous", "ive", "n't", "'s")

# What follows a number that measures a password instead of being one ("is 12 characters long").
UNITS: tuple[str, ...] = (
    "char", "letter", "digit", "symbol", "word", "day", "week", "month", "year", "hour", "minute", "second", "bit",
    "byte", "time", "or more", "to ", "attempt", "tries", "%", "people", "of ", "user", "line", "-char", "-digit",
    "-bit", "percent", "unique", "upper", "lower", "+",
)  # fmt: skip

# Last parts of names that hold no secret themselves: `password_hash`, `token_count`.
_SUFFIXES = """
    hash hashes hashed digest salt field fields length len min max minimum maximum policy reset hint input
    label url uri file path dir count counts limit limits required type types name names manager id ids regex
    pattern strength expiry expires expire expiration ttl age class error errors message placeholder validator
    validation rule rules prompt form column col param parameter arg args option options list encoder encoding
    index position style box screen page dialog link email budget usage used total rate cost price window
    endpoint provider store storage service handler helper func function method callback verified valid
    enabled disabled changed updated at on created rotation rounds algorithm alg format prefix suffix header
    scheme ref arn version size per map dict set info status state visible
"""
HARMLESS_SUFFIXES: frozenset[str] = frozenset(_SUFFIXES.split())

# Words of sentences; a passphrase or a wallet's seed has none of them.
_SMALL = """
    the a an and that was is are be been for with you not have this but they from his her our your has had were
    which would their when what will can all its it of to in on at by or as if so no do does did my me we us he
    she i than then them there these those who how why where must should could may might only also very too just
    about into out never ever down up anywhere everywhere nowhere anybody nobody here again always please
    because until since
"""
SMALL_WORDS: frozenset[str] = frozenset(_SMALL.split())
