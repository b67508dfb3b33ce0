import { readFileSync } from 'node:fs'
import { expect, it } from '@jest/globals'
import { z } from 'zod'

const json = z.record(z.string(), z.unknown())
const document = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: json }))),
    components: z.looseObject({ schemas: json }),
  })
  .parse(JSON.parse(readFileSync('docs/openapi.json', 'utf8')))

/**
 * The closed enums of answers. A page that is open during an upgrade gets the answers of a newer
 * release, and a value that it does not know makes the whole answer unreadable. So a value that a
 * list shows is an `openEnum` of contracts/open-enum.ts. These are closed for a reason.
 */
const closed = [
  // The page does something else for each value: the words of an unknown one would be wrong.
  'AdminLoginResponse.next',
  'CheckoutSessionResponse.status',
  'ExportProposal.status',
  'ExportProposalChanged.status',
  'RefundDecided.status',
  'RefundPaymentResponse.status',
  // The rights decide what the page offers. A new role is read in a release before it is given.
  'Administrator.role',
  'SessionResponse.administrator.rights',
  'SessionResponse.administrator.role',
  // The specification fixes the numbers.
  'AdminUser.user_type',
  'ProfileResponse.user_type',
  // The request of the same page names the value.
  'ExportProposal.format',
  'ExportProposal.list',
  'ReceivablesFigureEvents.figure',
  'Report.report',
  'ReportEvents.report',
  // Another value could say that hidden data are shown.
  'RawEvent.client_data',
  // The names of counts are the filters that the page has.
  'ReceivablesClientsPage.counts',
  'ReceivablesInvoicesPage.counts',
  // Each value has its drawing or its document, which only the page of its release has.
  'HistoryEvent.actor.kind',
  'HistoryEvent.kind',
  'HistoryEvent.mark',
  'Receipt.kind',
  'UserHistory.days.mark',
  // The browser's interface fixes the values, and machines read the others.
  'PasskeyCreationOptions.excludeCredentials.transports',
  'Readiness.status',
  'ReportedPoisonEvent.waits',
  // No page reads it: the caller is a mail server.
  'post /api/mail/delivery-reports.outcome',
]

it('the enums of answers are open, or closed for a reason', () => {
  expect([...new Set(enumsOfAnswers())].toSorted()).toEqual(closed.toSorted())
})

function enumsOfAnswers(): readonly string[] {
  const read = new Set<string>()
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, answer]) =>
        status.startsWith('2') ? enumsIn(answer, `${method} ${path}`, read) : [],
      ),
    ),
  )
}

/** Each named schema is read once. */
function enumsIn(node: unknown, path: string, read: Set<string>): readonly string[] {
  if (Array.isArray(node)) return node.flatMap((each) => enumsIn(each, path, read))
  const { data: members } = json.safeParse(node)
  if (members === undefined) return []
  const reference = members['$ref']
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? ''
    if (read.has(name)) return []
    read.add(name)
    return enumsIn(document.components.schemas[name], name, read)
  }
  return [
    ...('enum' in members ? [path] : []),
    ...Object.entries(members).flatMap(([key, value]) =>
      key === 'properties'
        ? Object.entries(json.parse(value)).flatMap(([field, schema]) =>
            enumsIn(schema, `${path}.${field}`, read),
          )
        : enumsIn(value, path, read),
    ),
  ]
}
