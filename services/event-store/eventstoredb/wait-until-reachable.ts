import { setTimeout as sleep } from 'node:timers/promises'
import { AccessDeniedError, BACKWARDS, END } from '@eventstore/db-client'
import { StartupError } from '#services/foundation/startup-error'
import { Client } from './client.ts'
import { placeOf, type ConnectionSettings, type Endpoint } from './connection-string.ts'
import { createStreamReader } from './stream-reader.ts'
import { isUnavailable, startingServer } from './unavailable.ts'

export interface ReachableOptions {
  readonly print: (line: string) => void
  /** Total time in milliseconds (30,000). */
  readonly timeoutMs?: number
  /** Ends the wait: the returned promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

const pauseMs = 500
/** Timeout of one attempt. */
const readTimeoutMs = 5_000

/**
 * Waits until the log can be read, since the server and the product often start together. Logs one
 * line if it waits. A problem that waiting does not solve, such as a wrong password or certificate,
 * fails at once. The retry library `exponential-backoff` does not fit: its pause does not end when
 * `signal` aborts.
 * @throws StartupError without the password
 */
export async function waitUntilReachable(
  settings: ConnectionSettings,
  { print, timeoutMs = 30_000, signal }: ReachableOptions,
): Promise<void> {
  const place = `EventStoreDB at ${placeOf(settings)}`
  const deadline = Date.now() + timeoutMs
  for (let tries = 1; ; tries += 1) {
    const failure = await failureOf(settings)
    if (failure === null) return
    if (tries === 1) print(`Waiting for ${place} …`)
    if (Date.now() + pauseMs > deadline) {
      const advice =
        startingServer(failure) === null
          ? 'start it, or correct EVENTSTORE_URL'
          : 'start the product again when the server is ready'
      throw new StartupError(
        `No answer from ${place} within ${timeoutMs / 1_000} seconds (${grpcReason(failure)}): ${advice}.`,
        { cause: failure },
      )
    }
    await sleep(pauseMs, undefined, { signal })
  }
}

/** Null if the log can be read. */
async function failureOf(settings: ConnectionSettings): Promise<Error | null> {
  const failure = await tryToRead(settings)
  if (failure === null) return null
  explainRefusal(failure, settings)
  if (!isUnavailable(failure)) throw failure
  if (!settings.isCluster) return failure
  // Leader discovery hides the reason of its failure, so each host is tried alone.
  const failures = await Promise.all(settings.hosts.map((host) => tryToRead(settings, host)))
  for (const each of failures) explainRefusal(each, settings)
  return failures.find((each) => each !== null) ?? failure
}

async function tryToRead(settings: ConnectionSettings, only?: Endpoint): Promise<Error | null> {
  const client = new Client({ ...settings, maxDiscoverAttempts: 1 }, only)
  const read = client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 })
  const events = createStreamReader(
    read,
    () => read.cancel(),
    (resolved: unknown) => resolved,
    { bufferSize: 1 },
  )
  try {
    await events.take(1, { timeoutMs: readTimeoutMs })
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    events.end()
    await client.close()
  }
}

function explainRefusal(error: Error | null, settings: ConnectionSettings): void {
  if (error === null) return
  const place = `EventStoreDB at ${placeOf(settings)}`
  const message = grpcReason(error)
  if (error instanceof AccessDeniedError) {
    if (settings.credentials === null)
      throw new StartupError(
        `${place} requires a user: add one to EVENTSTORE_URL, as esdb://user:password@host.`,
      )
    const user = settings.credentials.username
    throw new StartupError(
      error.code === 7
        ? `${place} does not let the user "${user}" read $all: grant it, or name another user in EVENTSTORE_URL.`
        : `${place} refuses the user "${user}": correct the user or the password in EVENTSTORE_URL.`,
    )
  }
  if (/wrong version number|packet length too long|SSL routines|EPROTO/i.test(message)) {
    throw new StartupError(
      `${place} does not use TLS, which EVENTSTORE_URL requires: add tls=false to it, or turn TLS on in the server.`,
    )
  }
  if (/altnames|does not match certificate/i.test(message)) {
    throw new StartupError(
      `The certificate of ${place} is for another host (${message}): correct the host in EVENTSTORE_URL, or the certificate.`,
    )
  }
  if (/certificate|self.signed|unable to get (local )?issuer/i.test(message)) {
    throw new StartupError(
      `The certificate of ${place} is not trusted (${message}): name the authority that signed it by tlsCAFile in EVENTSTORE_URL.`,
    )
  }
}

/** The message of a failed gRPC connection. Of several sentences, the one with the reason. */
function grpcReason(error: Error): string {
  const starting = startingServer(error)
  if (starting !== null) return starting.message
  const text = error.cause instanceof Error ? error.cause.message : error.message
  return (
    /Last error: (?:Error: )?(.*?)\.? ?(?:Resolution note:.*)?$/.exec(text)?.[1] ??
    text.replace(/^\d+ [A-Z_]+: /, '')
  )
}
