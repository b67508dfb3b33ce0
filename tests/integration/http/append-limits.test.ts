import { describe, expect, it } from '@jest/globals'
import { readFile } from 'node:fs/promises'
import { appendLimits, type AppendLimit } from '#services/http/append-limits'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'
import { declaredEndpoints, nameOf } from '../../support/product/declared-endpoints.ts'

/* No call makes a stream arbitrarily long: a call that appends declares its limit. */

const calls = await declaredEndpoints()

describe('a call', () => {
  it('that changes something declares the limit of the events that it appends', () => {
    const undeclared = calls.filter(({ method, appends }) => method !== 'get' && !appends)
    expect(undeclared.map(nameOf)).toEqual([])
  })

  it('has no command without a declared limit', () => {
    const context = { commandId: 'c', correlationId: 'c', appends: null } as RequestContext
    const actor = { kind: 'customer', id: 'usr_dana' } as const
    expect(() => commandContext(context, actor)).toThrow('declares no limit')
    expect(commandContext({ ...context, appends: 'change' }, actor)).toMatchObject({ actor })
  })

  it('of a stranger or a customer has another limit than trust', () => {
    const trusted = calls.filter(({ appends }) => appends === 'administrator')
    // The portal records the visits of administrators only.
    expect(trusted.filter(({ access }) => access !== 'admin').map(nameOf)).toEqual([
      'GET /api/portal/:subscriptionId',
    ])
  })

  it('is in the table of docs/security.md with its streams and its limit', async () => {
    const page = await readFile('docs/security.md', 'utf8')
    const section = page.split('## Length of streams')[1]?.split('\n## ')[0] ?? ''
    const rows = section.split('\n').filter((line) => line.startsWith('| `'))
    const expected = (Object.keys(appendLimits) as AppendLimit[]).map((name) => {
      const { streams, limit } = appendLimits[name]
      const names = calls
        .filter(({ appends }) => appends === name)
        .map(nameOf)
        .sort()
      return `| ${names.map((each) => `\`${each}\``).join(', ')} | ${streams} | ${limit} |`
    })
    expect(rows).toEqual(expected)
  })
})
