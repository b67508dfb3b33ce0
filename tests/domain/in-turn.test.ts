import { describe, expect, it } from '@jest/globals'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { inTurn } from '#services/http/in-turn'

/** A process in which the handling of each request takes 1 ms, and time passes in no other way. */
function busyProcess(takesMs = 1) {
  let now = 0
  const deferred: (() => void)[] = []
  const handled: string[] = []
  const listener = inTurn(
    ({ url }) => {
      handled.push(url ?? '')
      now += takesMs
    },
    ({ headers }) => String(headers['x-forwarded-for']),
    () => now,
    (proceed) => deferred.push(proceed),
  )
  return {
    handled,
    deferred,
    request(network: string, name: string) {
      const socket = new Socket()
      const request = new IncomingMessage(socket)
      request.url = name
      request.headers = { 'x-forwarded-for': network }
      listener(request, new ServerResponse(request))
      return { disconnect: () => socket.destroy() }
    },
    pass(ms: number) {
      now += ms
    },
    /** The process reads from its connections, and proceeds. */
    readConnections() {
      for (const proceed of deferred.splice(0)) proceed()
    },
  }
}

describe('requests of several networks', () => {
  it('begin at once while the process keeps up', () => {
    const { request, handled } = busyProcess(0)
    for (const name of ['1', '2', '3']) request('a', name)
    expect(handled).toEqual(['1', '2', '3'])
  })

  it('begin one round after the other, and the process reads its connections between two', () => {
    const { request, handled, readConnections, deferred } = busyProcess()
    for (const name of ['1', '2', '3']) request('a', name)
    expect(handled).toEqual(['1'])
    readConnections()
    expect(handled).toEqual(['1', '2'])
    readConnections()
    readConnections()
    expect(handled).toEqual(['1', '2', '3'])
    readConnections()
    expect(deferred).toEqual([])
  })

  it('begin with the network that requested least: a stranger waits behind no hundred of one client', () => {
    const { request, handled, readConnections } = busyProcess()
    for (let n = 1; n <= 100; n += 1) request('hostile', `hostile ${n}`)
    request('stranger', 'stranger')
    request('regular', 'regular 1')
    request('regular', 'regular 2')
    for (let round = 0; round < 4; round += 1) readConnections()
    expect(handled).toEqual(['hostile 1', 'stranger', 'regular 1', 'regular 2', 'hostile 2'])
  })

  it('begin in the order of their arrival within a network', () => {
    const { request, handled, readConnections } = busyProcess()
    for (const name of ['1', '2', '3', '4']) request('a', name)
    for (let round = 0; round < 3; round += 1) readConnections()
    expect(handled).toEqual(['1', '2', '3', '4'])
  })

  it('count for 20 s: a network that requested much before is as light as a new one', () => {
    const { request, handled, readConnections, pass } = busyProcess()
    for (let n = 1; n <= 5; n += 1) request('a', `earlier ${n}`)
    for (let round = 0; round < 5; round += 1) readConnections()
    handled.length = 0
    pass(20_000)
    request('b', 'first')
    request('a', 'second')
    request('b', 'third')
    for (let round = 0; round < 3; round += 1) readConnections()
    expect(handled).toEqual(['first', 'second', 'third'])
  })

  it('are dropped if their client disconnects while they wait', () => {
    const { request, handled, readConnections } = busyProcess()
    request('a', '1')
    request('a', '2').disconnect()
    request('a', '3')
    readConnections()
    expect(handled).toEqual(['1', '3'])
  })
})
