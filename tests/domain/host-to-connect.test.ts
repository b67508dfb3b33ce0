import { describe, expect, it } from '@jest/globals'
import { hostToConnect } from '#services/foundation/host-to-connect'

describe('a server on this machine', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
    ['::1', '[::1]'],
    ['fd00::2', '[fd00::2]'],
    ['10.0.0.7', '10.0.0.7'],
    ['localhost', 'localhost'],
  ])('that listens on %s is reached at %s', (host, reached) => {
    expect(hostToConnect(host)).toBe(reached)
    expect(URL.canParse(`http://${hostToConnect(host)}:3001`)).toBe(true)
  })
})
