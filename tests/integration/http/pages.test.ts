import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import express from 'express'
import { pages } from '#contracts/pages'
import { createPages } from '#services/http/pages'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let server: Server
let url: string

beforeAll(async () => {
  directory = await temporaryDirectory()
  await writeFile(join(directory.path, 'index.html'), '<!doctype html>')
  server = createServer(express().use(createPages(directory.path))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await directory.remove()
})

it.each(Object.entries(pages))(
  'the server answers %s with 200, and with noindex only if the page is private',
  async (path, { isPrivate }) => {
    for (const address of [path, path === '/' ? path : `${path}/`]) {
      const { status, headers } = await fetch(url + address)
      expect([address, status, headers.get('x-robots-tag')]).toEqual([
        address,
        200,
        isPrivate ? 'noindex' : null,
      ])
    }
  },
)

it('the server answers any other path with the not-found page and 404', async () => {
  const answer = await fetch(`${url}/no-such-page`)
  expect([answer.status, await answer.text()]).toEqual([404, '<!doctype html>'])
})
