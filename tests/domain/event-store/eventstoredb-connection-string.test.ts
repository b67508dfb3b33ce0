import { describe, expect, it } from '@jest/globals'
import {
  parseConnectionString,
  placeOf,
} from '#services/event-store/eventstoredb/connection-string'
import { StartupError } from '#services/foundation/startup-error'

describe('EVENTSTORE_URL', () => {
  it('names one server, by default with port 2113 and TLS', () => {
    expect(parseConnectionString('esdb://log.example')).toMatchObject({
      hosts: [{ address: 'log.example', port: 2113 }],
      isCluster: false,
      credentials: null,
      streamPrefix: '',
    })
    expect(parseConnectionString('esdb://log.example').tls).not.toBeNull()
    expect(parseConnectionString('esdb://127.0.0.1:2114/?tls=false')).toMatchObject({
      hosts: [{ address: '127.0.0.1', port: 2114 }],
      tls: null,
    })
  })

  it.each(['esdb://a:1,b:2,c?tls=false', 'esdb+discover://a:1,b:2,c?tls=false'])(
    'names the nodes of a cluster: %s',
    (text) => {
      const settings = parseConnectionString(text)
      expect(settings.isCluster).toBe(true)
      expect(placeOf(settings)).toBe('a:1, b:2, c:2113')
    },
  )

  it('names a cluster by one name of all its nodes', () => {
    expect(parseConnectionString('esdb+discover://cluster.example?tls=false')).toMatchObject({
      hosts: [{ address: 'cluster.example', port: 2113 }],
      isCluster: true,
    })
  })

  it('can have a password with special characters', () => {
    expect(
      parseConnectionString('esdb://ops:a:b%40c%2F%25@log.example?tls=false').credentials,
    ).toEqual({ username: 'ops', password: 'a:b@c/%' })
  })

  it('accepts options in any letter case, and a stream prefix, so that several logs can share a server', () => {
    expect(
      parseConnectionString(
        'esdb://a?TLS=False&KeepAliveInterval=20000&nodepreference=readonly-replica&streamPrefix=staging.',
      ),
    ).toMatchObject({
      tls: null,
      keepAliveInterval: 20_000,
      nodePreference: 'read_only_replica',
      streamPrefix: 'staging.',
    })
  })

  it.each([
    ['postgres://ops:secret@a', /must look like esdb:/],
    ['esdb://ops:secret@', /must look like esdb:/],
    ['esdb://ops:secret@a:70000', /the host 'a:70000'/],
    ['esdb://ops:secret@a b', /the host 'a b'/],
    ['esdb://ops:secret%@a', /has a '%'/],
    ['esdb://ops:secret@a?tls=maybe', /tls=maybe: it is true or false/],
    ['esdb://ops:secret@a?tls', /'tls' without a value/],
    ['esdb://ops:secret@a?color=red', /the option 'color'/],
    ['esdb://ops:secret@a?gossipTimeout=soon', /gossipTimeout=soon, which is not a whole number/],
    ['esdb://ops:secret@a?nodePreference=best', /nodePreference=best/],
    ['esdb://ops:secret@a?tlsVerifyCert=false', /tlsCAFile/],
    ['esdb://ops:secret@a?throwOnAppendFailure=false', /throwOnAppendFailure=false/],
    [
      'esdb://ops:secret@a?tlsCAFile=/nowhere/ca.crt',
      /\/nowhere\/ca\.crt by tlsCAFile, which cannot be read \(ENOENT\)/,
    ],
    [
      'esdb://ops:secret@a?userCertFile=/nowhere/user.crt',
      /only one of userCertFile and userKeyFile/,
    ],
    ['esdb://ops:secret@a?streamPrefix=$mine', /streamPrefix '\$mine'/],
  ])(
    'is refused with a sentence that names the wrong part, without the password: %s',
    (text, reason) => {
      const parse = () => parseConnectionString(text)
      expect(parse).toThrow(StartupError)
      expect(parse).toThrow(/^EVENTSTORE_URL .*Correct it and start again\.$/)
      expect(parse).toThrow(reason)
      expect(parse).not.toThrow(/secret/)
    },
  )
})
