import type { AppSide } from '../../../support/product/app-side.ts'
import type { Answer } from '../../../support/product/client.ts'
import type { PreparedCall } from './prepared-call.ts'

/** What a call did, without what differs between two worlds: ids, addresses and times. */
export interface Observed {
  readonly status: number
  readonly answer: unknown
  readonly events: readonly string[]
  readonly mails: readonly string[]
  readonly world: unknown
}

export async function observe(
  side: AppSide,
  call: PreparedCall,
  since: string | null,
  answer: Answer,
): Promise<Observed> {
  // A session that could not be stored does not wait for its own writes.
  await side.projected()
  const events = await side.eventsAfter(since)
  const mails = call.email === undefined ? [] : await side.mailsTo(call.email)
  return {
    status: answer.status,
    answer: shown(call, [answer.status, call.comparesBody ? answer.body : keysOf(answer.body)]),
    events: events
      .map(({ stream, type, data }) =>
        String(shown(call, `${type} in ${stream} ${JSON.stringify(data)}`)),
      )
      .sort(),
    mails: mails.map(({ subject }) => (subject ?? '').replace(/\d{6}/, '<code>')),
    world: shown(call, (await call.world?.()) ?? null),
  }
}

const keysOf = (body: Answer['body']) => (body === null ? null : Object.keys(body).sort())

function shown({ email = '<email>', userId = '<user>' }: PreparedCall, value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(email, '<email>')
      .replaceAll(userId, '<user>')
      .replaceAll(/"(resendAfterSeconds|since)":\d+/g, '"$1":0')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/\b[a-z]+_(?:test_|sandbox_)?[A-Za-z0-9-]{8,}\b/g, '<id>')
      .replaceAll(/\b[A-Z0-9]{8}-\d{4}\b/g, '<invoice number>')
      .replaceAll(/\b[0-9a-f]{32,}\b/g, '<hex>')
      .replaceAll(/\/pay\/[\w-]{43}/g, '/pay/<token>')
      .replaceAll(/unsubscribe\?to=[0-9a-f]+/g, 'unsubscribe?to=<tag>'),
  )
}
