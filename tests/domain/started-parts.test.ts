import { describe, expect, it } from '@jest/globals'
import { createLogger } from '#services/foundation/logger'
import { createStartedParts } from '#services/start/started-parts'

function startParts() {
  const lines: { readonly part?: string; readonly limitMs?: number }[] = []
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line) as object) })
  const started = createStartedParts(log, { partMs: 100, allMs: 200, minMs: 20 })
  const stopped: string[] = []
  const stop = (name: string) => async () => void stopped.push(name)
  return { started, lines, stopped, stop }
}

const never = () => new Promise<void>(() => undefined)

describe('the started parts', () => {
  it('stop in the reverse order of their start, after the servers', async () => {
    const { started, lines, stopped, stop } = startParts()
    started.add('database', stop('database'))
    started.addServer('server', stop('server'))
    started.add('projectors', stop('projectors'))
    await started.stop()
    expect(stopped).toEqual(['server', 'projectors', 'database'])
    expect(lines).toEqual([])
  })

  it('stop although a later part does not stop in time, which the log names', async () => {
    const { started, lines, stopped, stop } = startParts()
    started.add('database', stop('database'))
    started.add('projectors', never, 20)
    await started.stop()
    expect(stopped).toEqual(['database'])
    expect(lines).toMatchObject([
      {
        part: 'projectors',
        limitMs: 20,
        msg: 'A part did not stop in time; the other parts still stop.',
      },
    ])
  })

  it('have a limit together, and a short limit each after that', async () => {
    const { started, lines } = startParts()
    for (const name of ['fourth', 'third', 'second', 'first']) started.add(name, never)
    await started.stop()
    const limits = lines.map(({ part, limitMs = 0 }) => [part, Math.round(limitMs / 20)])
    expect(limits).toEqual([
      ['first', 5],
      ['second', 5],
      ['third', 1],
      ['fourth', 1],
    ])
  })

  it('stop although a later part fails to stop, which the log names', async () => {
    const { started, lines, stopped, stop } = startParts()
    started.add('database', stop('database'))
    started.add('projectors', () => Promise.reject(new Error('Broken.')))
    await started.stop()
    expect(stopped).toEqual(['database'])
    expect(lines).toMatchObject([
      { part: 'projectors', msg: 'A part failed to stop; the other parts still stop.' },
    ])
  })
})
