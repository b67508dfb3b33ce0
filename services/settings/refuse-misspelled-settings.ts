import { distance } from 'fastest-levenshtein'
import { StartupError } from '#services/foundation/startup-error'
import { isServiceLink, secretSettings, settingNames } from './settings.ts'

const knownNames = new Set([...settingNames, ...secretSettings.map((name) => `${name}_FILE`)])

// PORT, HOST and ROLE differ by one letter from names that any program may use (PORTS, HOSTS,
// POST).
const candidates = [...knownNames].filter((name) => name.includes('_'))

// Names of other programs that differ from a setting by one letter.
const ordinaryNames = new Set(['EMAIL_FROM', 'LOGLEVEL', 'SFTP_URL', 'SMPP_URL'])

/**
 * Stops a start whose environment misspells a setting. The product would ignore the name and, for
 * DATABASE_URL, use a new and empty database.
 * @throws StartupError that names each misspelled setting and the correct name. It contains no
 * value.
 */
export function refuseMisspelledSettings(env: NodeJS.ProcessEnv): void {
  const isSet = (name: string) => (env[name] ?? '').trim() !== ''
  const problems = Object.keys(env)
    .filter(isSet)
    .flatMap((name) => {
      const meant = settingMeantBy(name)
      if (meant === null || isServiceLink(env[name] ?? '')) return []
      // The setting has its value, so the other name belongs to another program.
      const setting = meant.replace(/_FILE$/, '')
      if (isSet(setting) || isSet(`${setting}_FILE`)) return []
      return [`${name} is not a setting: did you mean ${meant}?`]
    })
  if (problems.length === 0) return
  throw new StartupError(
    `${problems.join(' ')} Correct the name, or remove it from the environment, and start again.`,
  )
}

/**
 * The setting that an unknown name misspells; null for a known name and for a name of another
 * program.
 */
export function settingMeantBy(name: string): string | null {
  if (knownNames.has(name) || ordinaryNames.has(name)) return null
  const words = name.toUpperCase().split(/[^A-Z0-9]/)
  const [closest] = candidates
    .map((setting) => ({ setting, typos: typosIn(words, setting.split('_')) }))
    .filter(({ typos }) => typos <= 2)
    .sort((one, other) => one.typos - other.typos)
  return closest?.setting ?? null
}

/**
 * Counts typos word by word: METRICS_PATH is not a misspelled METRICS_PORT, because a whole word
 * differs. Infinity: no match.
 */
function typosIn(words: readonly string[], meant: readonly string[]): number {
  if (words.length !== meant.length) return words.join('') === meant.join('') ? 1 : Infinity
  return meant.reduce((sum, word, index) => sum + typosInWord(words[index] ?? '', word), 0)
}

function typosInWord(word: string, meant: string): number {
  // Letters in another order are one typo. The Levenshtein distance counts two.
  const typos = sorted(word) === sorted(meant) ? Number(word !== meant) : distance(word, meant)
  return typos <= (meant.length < 7 ? 1 : 2) ? typos : Infinity
}

const sorted = (word: string): string => [...word].sort().join('')
