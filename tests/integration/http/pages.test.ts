import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
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
  for (const name of ['index.html', 'app.js', 'app.css', 'logo.svg', 'font.woff2', 'app.js.map'])
    await writeFile(join(directory.path, name), '<!doctype html>')
  await mkdir(join(directory.path, '.git'))
  await writeFile(join(directory.path, '.git/HEAD'), 'ref: refs/heads/main')
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

it.each([
  ['/', 'text/html; charset=utf-8'],
  ['/app.js', 'text/javascript; charset=utf-8'],
  ['/app.css', 'text/css; charset=utf-8'],
  ['/logo.svg', 'image/svg+xml; charset=utf-8'],
  ['/font.woff2', 'font/woff2'],
])('the server names the type of %s: %s', async (path, type) => {
  const { status, headers } = await fetch(url + path)
  expect([status, headers.get('content-type')]).toEqual([200, type])
})

it.each([
  '/.git/HEAD',
  '/%2egit/HEAD',
  '/app.js.map',
  '/..%2fpackage.json',
  '/assets/..%2f..%2fpackage.json',
  '/assets/%2e%2e/%2e%2e/package.json',
])('the server serves no source control data and no file outside the pages: %s', async (path) => {
  const answer = await fetch(url + path)
  expect([answer.status, await answer.text()]).toEqual([404, '<!doctype html>'])
})
