import { describe, expect, it } from '@jest/globals'
import { EventStoreUnavailable } from '#services/event-store/errors'
import { StartupError } from '#services/foundation/startup-error'
import { sentenceOfStartFailure } from '#services/start/start-failure'

const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

describe('a start that fails', () => {
  it.each([
    ['a wrong setting', new StartupError('PORT is not a number.'), 'PORT is not a number.'],
    [
      'a database that stops',
      reset,
      'PostgreSQL became unavailable during the start (read ECONNRESET). Start again when it answers.',
    ],
    [
      'an event store that stops',
      new EventStoreUnavailable(reset),
      'The event store became unavailable during the start (read ECONNRESET). Start again when it answers.',
    ],
  ])('prints one sentence for %s', (_name, error, sentence) => {
    expect(sentenceOfStartFailure(error)).toBe(sentence)
  })

  it('prints a stack for what nobody foresaw', () => {
    expect(sentenceOfStartFailure(new TypeError('x is undefined'))).toContain('\n    at ')
  })
})
