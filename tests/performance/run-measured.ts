import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Runs a program of this folder in a new process, and resolves with the usage that it sends before
 * it ends. So the memory is that of this work alone.
 * @param program name of its file, without the ending
 * @throws Error if the process ends without a usage
 */
export async function runMeasured<Usage>(program: string, args: readonly string[]): Promise<Usage> {
  const file = new URL(`${program}${extname(import.meta.filename)}`, import.meta.url)
  const child = fork(fileURLToPath(file), args)
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const [usage] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(
        `${program} ${args.slice(1).join(' ')} ended with exit code ${code}. Its output has the cause.`,
      )
    }),
  ])) as [Usage]
  process.off('exit', kill)
  return usage
}
