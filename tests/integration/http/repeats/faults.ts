import type { Fault } from '../../../support/product/fault-point.ts'

/** The product's own log: PostgreSQL has everything, and the answer to a commit can be lost. */
const everything = { parts: ['pool', 'log'] } as const

export const outages = {
  'PostgreSQL goes away with an answer': { ...everything, moment: 'after', lasts: true },
  'PostgreSQL goes away before an operation': { ...everything, moment: 'before', lasts: true },
  'the event store goes away with an answer': { parts: ['store'], moment: 'after', lasts: true },
  'the event store goes away before an operation': {
    parts: ['store'],
    moment: 'before',
    lasts: true,
  },
  'the connections to PostgreSQL break once': { parts: ['pool'], moment: 'after', lasts: false },
} as const satisfies Readonly<Record<string, Fault>>
