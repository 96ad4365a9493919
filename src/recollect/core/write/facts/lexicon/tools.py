"""Tools, languages of programming, makes of car and the things of which one has a current one.

Decides: which lower-case words after "I use" are a tool, and how the few whose names are mostly punctuation are
spelled in a key, so that C, C++ and C# do not fall together.
Never: knows versions.
"""

from functools import cache

from recollect.core.write.facts.lexicon.entry import entries

_TOOLS = """
ableton, adobe xd, airflow, airtable, alacritty, android, android studio, angular, anki, ansible, apache, apple music
arch, arch linux, asana, astro, atom, audacity, aws, azure, bash, bazel, bear, bigquery, bitbucket, bitwarden, blender
brave, bun, c, c#, c++, calendly, canva, cassandra, celery, chatgpt, chrome, chromium, circleci, claude, clickup
clickhouse, clojure, cloudflare, cmake, codeium, confluence, copilot, css, cursor, dart, databricks, datadog, dbt
debian, deno, discord, django, docker, docker compose, doom emacs, dropbox, duckdb, eclipse, edge, elasticsearch
elixir, elm, emacs, erlang, eslint, evernote, excel, express, f#, fastapi, fedora, figma, firebase, firefox, fish
flask, flutter, fortran, gatsby, gcc, gcp, ghostty, gimp, git, github, github actions, gitlab, gmail, go, golang
google calendar, google docs, google drive, google maps, google sheets, gradle, grafana, graphql, hadoop, haskell
helix, helm, heroku, homebrew, html, hugo, illustrator, indesign, inkscape, insomnia, intellij, intellij idea, ios
ipad, iphone, java, javascript, jenkins, jetbrains, jira, jq, julia, jupyter, kafka, keras, kitty, kotlin, krita
kubernetes, k8s, kubectl, lambda, laravel, latex, lastpass, lightroom, linear, linux, linux mint, logseq, looker, lua
macos, mac, manjaro, mariadb, matlab, matplotlib, maven, mercurial, mongodb, mongo, mysql, mypy, neovim, nvim, netlify
next.js, nextjs, nginx, nim, nix, nixos, node, node.js, nodejs, notion, numpy, nuxt, obsidian, ocaml, onenote, openai
opera, outlook, pandas, perl, photoshop, php, pinecone, pnpm, poetry, polars, postgres, postgresql, postman, power bi
powerpoint, powershell, premiere, prettier, prisma, prolog, prometheus, protonmail, pulumi, pycharm, pytest, python
pytorch, qgis, qt, r, rabbitmq, rails, react, react native, redis, redux, remix, roam, ruby, ruby on rails, ruff, rust
safari, sas, scala, scikit-learn, scrivener, sentry, shell, signal, sketch, slack, snowflake, solidjs, spark, spacemacs
splunk, spotify, spring, spring boot, spss, sql, sqlalchemy, sqlite, stata, strava, stripe, sublime, sublime text
supabase, svelte, sveltekit, svn, swift, sway, tableau, tailwind, tailwind css, teams, telegram, tensorflow, terraform
thunderbird, tmux, todoist, travis, trello, typescript, ubuntu, unity, unreal, unreal engine, uv, vagrant, vercel, vim
visual studio, visual studio code, vite, vs code, vscode, vue, vue.js, webpack, webstorm, wezterm, whatsapp, windows
windows 10, windows 11, word, wordpress, wsl, xcode, yarn, zed, zig, zoom, zotero, zsh, ynab, 1password, duolingo
"""

# Read as a tool only after "use"; elsewhere too often an ordinary word.
_PLAIN_WORDS = """
arch, atom, bear, brave, c, cursor, dart, edge, elm, express, fish, go, helix, helm, julia, kitty, lambda, linear
looker, lua, mac, nim, node, notion, opera, prisma, r, remix, roam, ruby, rust, safari, sage, scala, shell, signal
sketch, slack, spark, spring, stripe, swift, sway, teams, unity, unreal, vagrant, vim, windows, word, yarn, zed, zoom
excel, telegram, evernote, bash, make, insomnia, photoshop, postman, discord, premiere, outlook, android, apache
"""

_MAKES = """
acura, alfa romeo, aston martin, audi, bentley, bmw, buick, byd, cadillac, chevrolet, chevy, chrysler, citroen, cupra
dacia, dodge, fiat, ford, genesis, gmc, honda, hyundai, infiniti, jaguar, jeep, kia, lada, lamborghini, land rover
lexus, lincoln, lucid, maserati, mazda, mercedes, mini, mitsubishi, nissan, opel, peugeot, polestar, porsche, ram
range rover, renault, rivian, rover, saab, seat, skoda, smart, subaru, suzuki, tesla, toyota, vauxhall, volkswagen
volvo, vw
"""

# "My editor is …": one at a time, so the thing itself is the predicate.
_POSSESSIONS = """
editor, code editor, text editor, ide, browser, phone, laptop, operating system, os, car, shell, terminal, keyboard
camera, bike, guitar, email client, note-taking app, notes app, password manager, distro, linux distro, window manager
"""

_SPELLED = {"c++": "cpp", "c#": "csharp", "f#": "fsharp", ".net": "dotnet"}

_NOT_TOOLS = """
i, it, this, that, them, english, monday, tuesday, wednesday, thursday, friday, saturday, sunday, january, february
march, april, may, june, july, august, september, october, november, december, god, mom, dad, christmas
"""


@cache
def tools() -> frozenset[str]:
    """Tools that are read in lower case too."""
    return entries(_TOOLS)


@cache
def plain_words() -> frozenset[str]:
    """Tools whose lower-case name is an ordinary word."""
    return entries(_PLAIN_WORDS)


@cache
def not_tools() -> frozenset[str]:
    """Capitalised words that are never a tool."""
    return entries(_NOT_TOOLS)


@cache
def makes() -> frozenset[str]:
    """Makes of car."""
    return entries(_MAKES)


@cache
def possessions() -> tuple[str, ...]:
    """Things one has a current one of, longest name first."""
    found = [part.strip() for part in _POSSESSIONS.replace("\n", ",").split(",") if part.strip()]
    return tuple(sorted(found, key=lambda name: (-len(name), name)))


def tool_slug_source(name: str) -> str:
    """Return the spelling of a tool from which its slug is made."""
    return _SPELLED.get(name.casefold(), name)
