import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface OtherWriter {
  /** Begins the appends. Resolves with the revisions that this process won. */
  race(): Promise<readonly number[]>
}

/**
 * Starts a process in which `writers` concurrent appends compete for each revision of the stream.
 * Resolves after the process has connected.
 */
export async function startOtherWriter(
  connectionString: string,
  stream: string,
  count: number,
  writers: number,
): Promise<OtherWriter> {
  const script = fileURLToPath(new URL('other-writer.ts', import.meta.url))
  const child = fork(script, [connectionString, stream, String(count), String(writers)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const failed = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`The other writer ended with ${String(code)}.`)),
  )
  failed.catch(() => undefined)
  await Promise.race([once(child, 'message'), failed])
  return {
    async race() {
      const answer = once(child, 'message') as Promise<[number[]]>
      child.send('go')
      const [won] = await Promise.race([answer, failed])
      return won
    },
  }
}
