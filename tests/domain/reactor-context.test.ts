import { describe, expect, it } from '@jest/globals'
import { reactorContext } from '#services/reactors/reactor-context'

const event = (id: string) => ({ id, metadata: { correlationId: 'click 1' } })
const idOf = (...args: Parameters<typeof reactorContext>) => reactorContext(...args).commandId

describe('the context of a command of a reactor', () => {
  it('names the event as its cause and continues its correlation', () => {
    expect(reactorContext('refunds', event('event 1'))).toMatchObject({
      correlationId: 'click 1',
      causationId: 'event 1',
      actor: { kind: 'system', id: 'reactor refunds' },
    })
  })

  it('is the same command for a repeat, and another one for another event or reactor', () => {
    expect(idOf('refunds', event('event 1'))).toBe(idOf('refunds', event('event 1')))
    expect(idOf('refunds', event('event 1'))).not.toBe(idOf('refunds', event('event 2')))
    expect(idOf('refunds', event('event 1'))).not.toBe(idOf('blocks', event('event 1')))
  })

  it('is a command of its own for each attempt that has a number', () => {
    expect(idOf('refunds', event('event 1'), 1)).not.toBe(idOf('refunds', event('event 1'), 2))
  })
})
