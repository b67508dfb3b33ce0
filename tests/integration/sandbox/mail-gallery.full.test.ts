import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  sampleNotifications,
  sampleTexts,
} from '../../../scripts/mail-gallery/sample-notifications.ts'
import { sampleReminders } from '../../../scripts/mail-gallery/sample-reminders.ts'
import { startTestSandbox } from '../../support/product/sandbox.ts'

type Sandbox = Awaited<ReturnType<typeof startTestSandbox>>

/** The gallery is a file of the build: run npm run build first. */
describe('the mail gallery', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox.close())

  const page = async (path: string) => (await fetch(`${sandbox.url}${path}`)).text()

  it('lists every sample, and the inbox links to it', async () => {
    const list = await page('/mail-gallery')
    const reminders = sampleReminders.flatMap(({ id }) => [{ id }, { id: `${id}-text` }])
    for (const { id } of [
      ...sampleNotifications,
      ...sampleTexts,
      ...reminders,
      { id: 'sign-in-code' },
    ])
      expect(list).toContain(`href="/mail-gallery?sample=${id}&amp;`)
    expect(await page('/inbox')).toContain('href="/mail-gallery"')
  })

  it('shows a mail at a width and in a color scheme, and its text part', async () => {
    for (const [width, pixels] of [
      ['phone', 390],
      ['desktop', 720],
    ])
      for (const scheme of ['light', 'dark']) {
        const opened = await page(`/mail-gallery?sample=receipt&width=${width}&scheme=${scheme}`)
        expect(opened).toMatch(
          new RegExp(`src="/mail-gallery/receipt/${scheme}"[^>]*width="${pixels}"`),
        )
        expect(opened).toContain('Amount paid: $39.00')
        // The neighbors keep the width and the scheme.
        expect(opened).toContain(
          `rel="next" href="/mail-gallery?sample=receipt-of-a-payment-outside&amp;width=${width}&amp;scheme=${scheme}"`,
        )
      }
  })

  it('has no neighbor before the first sample and after the last', async () => {
    const last = `${sampleReminders.at(-1)?.id ?? ''}-text`
    expect(await page('/mail-gallery?sample=sign-in-code')).not.toContain('rel="prev"')
    expect(await page(`/mail-gallery?sample=${last}`)).not.toContain('rel="next"')
  })

  it('serves the mail in one color scheme, whatever scheme the browser has', async () => {
    const dark = await page('/mail-gallery/receipt/dark')
    const light = await page('/mail-gallery/receipt/light')
    expect(dark).toContain('@media all{')
    expect(light).toContain('@media not all{')
    expect(dark + light).not.toContain('prefers-color-scheme')
  })

  it('shows a text with its length, and no frame', async () => {
    const opened = await page('/mail-gallery?sample=text-payment-failed-day-0')
    expect(opened).toMatch(/class="bubble"[^]*>\d+(<!-- -->)? characters</)
    expect(opened).not.toContain('<iframe')
  })

  it('answers 404 for a sample or a scheme that does not exist', async () => {
    for (const path of ['/mail-gallery/nothing/dark', '/mail-gallery/receipt/sepia'])
      expect((await fetch(`${sandbox.url}${path}`)).status).toBe(404)
  })
})
