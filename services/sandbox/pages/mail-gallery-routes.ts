import { Router, type Request, type Response } from 'express'
import { sendMailFrame } from './mail-frame.ts'
import { readGallery } from './mail-gallery.ts'
import { renderMailGallery, schemes } from './mail-gallery-page.tsx'
import { renderNotice } from './notice-page.tsx'
import { sendPage } from './page-headers.ts'

/** `GET /mail-gallery?sample=` shows every mail and text of the product with invented data. */
export function mailGalleryRoutes(): Router {
  const router = Router()

  router.get('/mail-gallery', async (request, response) => {
    const items = await readGallery()
    const [first] = items ?? []
    if (items === null || first === undefined)
      return sendMissing(response, 'The build writes the gallery. Run npm run build.')
    const { sample, width, scheme } = request.query
    const chosen = items.find(({ id }) => id === sample)
    const html = renderMailGallery({
      items,
      opened: chosen ?? first,
      wasChosen: chosen !== undefined,
      width: width === 'desktop' ? 'desktop' : 'phone',
      scheme: schemes.find((each) => each === scheme) ?? 'light',
    })
    sendPage(response, 200, html)
  })

  router.get(
    '/mail-gallery/:id/:scheme',
    async ({ params }: Request<{ id: string; scheme: string }>, response) => {
      const html = (await readGallery())?.find(({ id }) => id === params.id)?.html ?? null
      const scheme = schemes.find((each) => each === params.scheme)
      if (html === null || scheme === undefined)
        return sendMissing(response, 'The gallery has no such mail.')
      sendMailFrame(response, inScheme(html, scheme))
    },
  )

  return router
}

/** A frame has the color scheme of the browser, so the media query of the mail is replaced. */
function inScheme(html: string, scheme: (typeof schemes)[number]): string {
  return html.replaceAll(
    '@media (prefers-color-scheme:dark)',
    scheme === 'dark' ? '@media all' : '@media not all',
  )
}

function sendMissing(response: Response, text: string): void {
  const page = { title: 'Mail not found', text, href: '/inbox', linkText: 'To the inbox' }
  sendPage(response, 404, renderNotice(page))
}
