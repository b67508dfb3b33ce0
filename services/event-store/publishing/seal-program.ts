import { execFile, type ExecFileException } from 'node:child_process'
import { backOff } from 'exponential-backoff'
import { StartupError } from '#services/foundation/startup-error'
import { lineOf, parseManifest } from '../audit/manifest.ts'
import type { SealPlace } from './seal-place.ts'

export interface SealPrograms {
  /** The absolute path of a program that gets a seal on its standard input, as one line of JSON. */
  readonly publish: string
  /** The absolute path of a program that prints the published seals, one line each. */
  readonly list: string | null
  /** The environment of both programs. */
  readonly env: NodeJS.ProcessEnv
  /** Milliseconds until a program that does not end is killed. */
  readonly timeoutMs?: number
}

const attempts = { numOfAttempts: 3, startingDelay: 1_000 }
const maxOutput = 256 * 1_024 * 1_024

/**
 * A program that takes seals, such as a script that mails or uploads them. It runs without a shell
 * and without arguments, once per seal. Exit code 0 means that the seal is published; any other
 * result is tried twice more, so the program can get a seal again.
 */
export function createSealProgram({
  publish,
  list,
  env,
  timeoutMs = 60_000,
}: SealPrograms): SealPlace {
  return {
    name: `the program ${publish}`,
    publish: (seal) =>
      backOff(
        async () =>
          void (await run(publish, { env, timeoutMs, input: lineOf(seal), name: 'SEAL_PROGRAM' })),
        attempts,
      ),
    read:
      list === null
        ? null
        : async () => {
            const text = await run(list, { env, timeoutMs, input: '', name: 'SEAL_LIST_PROGRAM' })
            return parseManifest(text, `the output of ${list}`).map((seal) => ({
              sequence: seal.sequence,
              seal,
            }))
          },
  }
}

/** Returns the standard output. @throws StartupError for any end but exit code 0 */
function run(
  program: string,
  {
    env,
    timeoutMs,
    input,
    name,
  }: { env: NodeJS.ProcessEnv; timeoutMs: number; input: string; name: string },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      [],
      { env, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: maxOutput },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout)
        const said = stderr.trim().split('\n').at(-1) ?? ''
        reject(
          new StartupError(
            `${program} (${name}) failed: ${endOf(error, timeoutMs)}${said === '' ? '' : `, and printed ${JSON.stringify(said.slice(0, 200))}`}. Correct the program or ${name}.`,
          ),
        )
      },
    )
    // A program that reads nothing closes the pipe. Its exit code decides.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}

function endOf({ code, signal, killed }: ExecFileException, timeoutMs: number): string {
  if (typeof code === 'number') return `exit code ${code}`
  if (typeof code === 'string') return code
  return killed === true ? `it did not end within ${timeoutMs / 1_000} s` : `signal ${signal}`
}
