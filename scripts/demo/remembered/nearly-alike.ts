import type { SeedMemory } from '../seed-shapes.ts'
import { say } from './say.ts'

/** Near-duplicates, as agents write them. */
export const nearlyAlike: readonly SeedMemory[] = [
  say(
    14,
    'claude-code',
    'fact',
    3,
    4,
    'The harbour master, Ingrid Solheim, replies to e-mail within one day and picks up the phone within the hour.',
    ['Ingrid Solheim', 'harbour'],
  ),
  say(11, 'cursor', 'constraint', 4, 4, 'Never release on Fridays after twelve o’clock.', ['release']),
  say(
    9,
    'cursor',
    'skill',
    3,
    3,
    'Rebuilding the timetable’s search index: stop the worker, `make reindex`, wait until it says “index ready”, start the worker.',
    ['search index', 'worker'],
  ),
  say(
    6,
    'scout',
    'fact',
    2,
    3,
    'Timetable service: port 8471, routes come from routes.toml, restart it after changes.',
    ['timetable', 'routes.toml'],
  ),
]
