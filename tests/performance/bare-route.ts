import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const message = z.object({ port: z.int() })

/**
 * Starts an express server that the product is compared with, in a separate process like the
 * product. `program` is its path without the extension, relative to this folder. The program sends
 * its port.
 */
export async function startBareRoute(
  program: string,
  args: readonly string[],
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const path = fileURLToPath(new URL(`${program}${extname(import.meta.url)}`, import.meta.url))
  const child = fork(path, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [answer] = (await once(child, 'message')) as [unknown]
  return {
    url: `http://127.0.0.1:${message.parse(answer).port}/`,
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
