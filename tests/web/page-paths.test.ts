import { expect, it } from '@jest/globals'
import { matchRoutes } from 'react-router-dom'
import { pages } from '#contracts/pages'
import { routes } from '../../web/app/router.tsx'

it.each(Object.keys(pages))('the page %s, which the server sends, has a route', (path) => {
  expect(matchRoutes(routes, path)?.at(-1)?.route.path).toBe(path)
})
