import type { Response } from 'express'
import type { OtherAnswer } from './answer.ts'

/** The open answer of a call that sends events (`text/event-stream`). */
export interface EventConnection {
  /**
   * Sends a frame of `eventFrame`. If the client reads too slowly, so that more than
   * `maxUnsentBytes` of earlier frames wait, ends the connection at once.
   */
  send(frame: Buffer): void
  /** Ends the answer. */
  end(): void
  /** Calls the listener when the connection has ended, for any reason. */
  onEnd(listener: () => void): void
}

/** What the handler of such a call returns: it receives the connection after the headers. */
export type OpenStream = (connection: EventConnection) => void

/** Larger than two pages of 100 rows. The buffers of the system hold further bytes. */
const maxUnsentBytes = 512 * 1_024

/** The call answers with server-sent events until one side ends the connection. */
export function eventStream(description: string): OtherAnswer<OpenStream> {
  return {
    status: 200,
    description,
    contentTypes: ['text/event-stream'],
    send(response, open) {
      response.status(200).set({
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store, no-transform',
        // nginx would buffer the events.
        'X-Accel-Buffering': 'no',
      })
      response.flushHeaders()
      open(connectionOf(response))
    },
  }
}

/** One event, as all connections receive it. The name and the data contain no line break. */
export function eventFrame(name: string, data: string): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${data}\n\n`)
}

/** The delay in milliseconds before the browser connects again after a lost connection. */
export function retryFrame(milliseconds: number): Buffer {
  return Buffer.from(`retry: ${milliseconds}\n\n`)
}

function connectionOf(response: Response): EventConnection {
  return {
    send(frame) {
      if (response.writableEnded || response.destroyed) return
      if (response.writableLength > maxUnsentBytes) response.destroy()
      else response.write(frame)
    },
    end: () => void response.end(),
    onEnd(listener) {
      // The client can disconnect before the answer begins.
      if (response.closed) listener()
      else response.once('close', listener)
    },
  }
}
