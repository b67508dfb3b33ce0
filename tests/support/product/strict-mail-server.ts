import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

export interface StrictLimits {
  /** After so many mails a connection gets 421 and ends. */
  readonly perConnection: number
  /** Every connection whose number is a multiple of this gets 421 instead of a greeting. */
  readonly refusesEvery: number
  /** Above so many mails in a second, a mail is refused. Default: no limit. */
  readonly perSecond?: number
  /** Every refusal whose number is a multiple of this has no answer: the connection breaks. */
  readonly dropsEvery?: number
}

/** A mail server that answers 421 above its limits and ends the connection. */
export async function startStrictMailServer({
  perConnection,
  refusesEvery,
  perSecond = Infinity,
  dropsEvery = Infinity,
}: StrictLimits) {
  const messageIds: string[] = []
  /** Mails by second. */
  const rates = new Map<number, number>()
  let connections = 0
  let refusals = 0
  let drops = 0
  const refuse = (socket: Socket, text: string) => {
    if ((refusals + drops + 1) % dropsEvery === 0) {
      drops += 1
      socket.destroy()
      return
    }
    refusals += 1
    socket.end(`421 ${text}\r\n`)
  }
  /** Whether the rate allows one more mail, which then counts. */
  const isWithinRate = () => {
    const second = Math.floor(Date.now() / 1_000)
    const mails = (rates.get(second) ?? 0) + 1
    if (mails > perSecond) return false
    rates.set(second, mails)
    return true
  }
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    connections += 1
    if (connections % refusesEvery === 0) return refuse(socket, 'Too many connections')
    let mails = 0
    let content: string | null = null
    let buffered = ''
    const answer = (line: string) => {
      if (content !== null) {
        if (line !== '.') {
          content += `${line}\n`
          return
        }
        const [, id = 'none'] = /^message-id: <(.*)>/im.exec(content) ?? []
        messageIds.push(id)
        content = null
        mails += 1
        socket.write('250 Accepted\r\n')
      } else if (line.startsWith('MAIL FROM') && (mails >= perConnection || !isWithinRate()))
        refuse(socket, 'Too many mails, try again later')
      else if (line === 'DATA') {
        content = ''
        socket.write('354 Go ahead\r\n')
      } else socket.write('250 Yes\r\n')
    }
    socket.on('data', (chunk) => {
      const lines = `${buffered}${chunk.toString()}`.split('\r\n')
      buffered = lines.pop() ?? ''
      for (const line of lines) if (socket.writable) answer(line)
    })
    socket.write('220 A strict server\r\n')
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Of the accepted mails, in their order. */
    messageIds,
    /** The answers 421. */
    refusals: () => refusals,
    /** The refusals without an answer. */
    drops: () => drops,
    connections: () => connections,
    /** The most mails that were begun in one second. */
    maxPerSecond: () => Math.max(0, ...rates.values()),
    close: () => void server.close(),
  }
}
