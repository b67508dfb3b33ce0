import { describe, expect, it } from '@jest/globals'
import { createOutageLog } from '#services/foundation/outage-log'

function startLog() {
  const lines: { readonly sentence: string; readonly fields: object }[] = []
  let nowMs = 5_000
  const outage = createOutageLog(
    { warn: (fields, sentence) => void lines.push({ sentence, fields }) },
    { began: 'Writing failed.', lasts: 'Writing still fails.', over: 'Writing succeeds again.' },
    () => nowMs,
  )
  return { outage, lines, after: (ms: number) => void (nowMs += ms) }
}

const diskFull = Object.assign(new Error('could not extend file'), {
  code: '53100',
  detail: 'Failing row contains (dana@example.com).',
})

describe('an outage log', () => {
  it('logs the first failure with its stack, one line per minute without a stack, and one line at the end', () => {
    const { outage, lines, after } = startLog()
    for (let second = 0; second <= 150; second += 1) {
      outage.failed(diskFull)
      after(1_000)
    }
    outage.over()
    outage.over()
    expect(lines).toEqual([
      {
        sentence: 'Writing failed.',
        fields: {
          failure: {
            message: 'could not extend file',
            errorCode: '53100',
            stack: expect.stringContaining('outage-log.test'),
          },
        },
      },
      {
        sentence: 'Writing still fails.',
        fields: {
          failure: { message: 'could not extend file', errorCode: '53100' },
          failures: 61,
          seconds: 60,
        },
      },
      {
        sentence: 'Writing still fails.',
        fields: {
          failure: { message: 'could not extend file', errorCode: '53100' },
          failures: 121,
          seconds: 120,
        },
      },
      { sentence: 'Writing succeeds again.', fields: { failures: 151, seconds: 151 } },
    ])
  })

  it('logs nothing while there is no failure', () => {
    const { outage, lines } = startLog()
    outage.over()
    expect(lines).toEqual([])
  })

  it('counts failures and seconds of each outage from its start', () => {
    const { outage, lines, after } = startLog()
    outage.failed(diskFull)
    after(7_000)
    outage.over()
    outage.failed(diskFull)
    after(2_000)
    outage.over()
    expect(
      lines.filter(({ sentence }) => sentence.endsWith('again.')).map(({ fields }) => fields),
    ).toEqual([
      { failures: 1, seconds: 7 },
      { failures: 1, seconds: 2 },
    ])
  })

  it('logs the errors of both addresses of a host, and no row that the database quotes', () => {
    const { outage, lines } = startLog()
    outage.failed(
      Object.assign(
        new AggregateError([
          new Error('connect ECONNREFUSED ::1:5432'),
          new Error('connect ECONNREFUSED 127.0.0.1:5432'),
        ]),
        { code: 'ECONNREFUSED' },
      ),
    )
    expect(lines[0]?.fields).toMatchObject({
      failure: {
        message: 'connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432',
        errorCode: 'ECONNREFUSED',
      },
    })
    outage.over()
    outage.failed(diskFull)
    expect(JSON.stringify(lines)).not.toContain('dana@example.com')
  })
})
