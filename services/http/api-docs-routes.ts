import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { file } from './answer.ts'
import type { Routes } from './routes.ts'

export interface ApiDocsParts {
  /** The OpenAPI document of the whole API. Called after all calls are declared. */
  readonly document: () => Readonly<Record<string, unknown>>
  /** The directory of the built pages. */
  readonly webRoot: string
}

const openApi = z.looseObject({ openapi: z.literal('3.1.1') })

/** The API documentation: the OpenAPI document, and the page that shows it. */
export function apiDocsRoutes({ document, webRoot }: ApiDocsParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/openapi.json',
      summary: 'Read this document',
      access: 'public',
      answer: openApi,
      handle: async () => openApi.parse(document()),
    })

    route({
      method: 'get',
      path: '/api/docs',
      summary: 'Open the page that shows this document',
      access: 'public',
      answer: file('text/html', 'The page'),
      async handle(_input, context) {
        context.setHeader('X-Robots-Tag', 'noindex')
        return { content: await readFile(join(webRoot, 'api-docs.html'), 'utf8') }
      },
    })
  }
}
