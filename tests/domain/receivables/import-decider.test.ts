import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ImportEvent } from '#contracts/events/import'
import { parseReceivableId, parseUserId } from '#contracts/ids'
import { rowsOf } from '#services/receivables/import/row-table'
import {
  importDecider,
  type BegunRow,
  type ImportCommand,
} from '#services/receivables/import/import-decider'
import { given } from '../../support/data/given.ts'
import {
  clientId,
  day,
  merchantId,
  receivableId,
} from '../../support/receivables/arbitrary-receivable-commands.ts'

const at = '2026-11-27T15:00:00.000Z'
const by = { merchantId, at } as const
const file = { name: 'open-invoices.csv', size: 18_204, sha256: 'a'.repeat(64) }
const start = (rows: number) =>
  ({ type: 'start-import', file, rows, day: day('2026-11-27'), ...by }) as const
const begun = (row: number): BegunRow => ({
  row,
  number: `AD-${row}`,
  clientId,
  receivableId: parseReceivableId(receivableId),
  isNewClient: true,
})
const stored = (row: number) =>
  ({ row, number: `AD-${row}`, outcome: 'added', reason: null }) as const
const begin = (...rows: readonly number[]) =>
  ({ type: 'begin-rows', rows: rows.map(begun), ...by }) as const
const store = (...rows: readonly number[]) =>
  ({ type: 'store-rows', rows: rows.map(stored), ...by }) as const
const finish = { type: 'finish-import', isComplete: false, ...by } as const

/** The events of accepted commands; the last command may be refused. */
function after(...commands: readonly ImportCommand[]) {
  const events: ImportEvent[] = []
  for (const command of commands) {
    const decision = given(importDecider, ...events).decide(command)
    if (decision.kind === 'refused') throw new Error(decision.refusal.kind)
    events.push(...decision.events)
  }
  return given(importDecider, ...events)
}

describe('an import', () => {
  it('takes as many rows as it was started with', () => {
    expect(after(start(2)).when(begin(2, 3, 4))).toEqual({
      refused: { kind: 'more-rows', max: 2 },
    })
    expect(after(start(2), begin(2, 3)).when(store(4))).toEqual({
      refused: { kind: 'more-rows', max: 2 },
    })
  })

  it('is finished when every row is stored', () => {
    const partly = after(start(2), begin(2, 3), store(2))
    expect(partly.when(finish)).toEqual({ refused: { kind: 'rows-missing', missing: 1 } })
    const whole = after(start(2), begin(2, 3), store(2), store(3), finish)
    expect(whole.state).toMatchObject({ standing: 'finished', counts: { added: 2 } })
    expect(whole.when(finish)).toEqual([])
  })

  it('takes no row after its undo has started', () => {
    const undoing = after(start(2), begin(2, 3), { type: 'start-undo', ...by })
    expect(undoing.when(store(2))).toEqual({ refused: { kind: 'import-over' } })
    expect(undoing.when(begin(4))).toEqual({ refused: { kind: 'import-over' } })
  })

  it('does not exist for another merchant', () => {
    const other = { ...finish, merchantId: parseUserId('usr_birch') }
    expect(after(start(1)).when(other)).toEqual({ refused: { kind: 'not-found' } })
  })

  it('knows each row once, in whichever order and parts the rows come', () => {
    const rows = Array.from({ length: 20 }, (_, index) => index + 2)
    const parts = fc.array(fc.subarray(rows, { minLength: 1 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(parts, (sent) => {
        const commands = [...sent, rows].flatMap((part) => [begin(...part), store(...part)])
        const { state } = after(start(rows.length), ...commands, finish)
        if (state.kind === 'none') throw new Error('The import does not exist.')
        expect(state.counts).toEqual({ added: 20, changed: 0, unchanged: 0, refused: 0 })
        expect([...rowsOf(state.known)].map(([row]) => row).sort((a, b) => a - b)).toEqual(rows)
      }),
    )
  })
})
