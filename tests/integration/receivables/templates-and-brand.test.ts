import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import sharp from 'sharp'
import type { z } from 'zod'
import { brandResponse, senderNameResponse } from '#contracts/receivables/brand'
import { addClientResponse } from '#contracts/receivables/client-requests'
import { addInvoiceResponse } from '#contracts/receivables/invoice-requests'
import {
  previewResponse,
  saveTemplatesResponse,
  templatesResponse,
} from '#contracts/receivables/templates'
import { encodeLogo } from '#services/receivables/brand/encode-logo'
import { startAppSide, type AppSide, type TestCustomer } from '../../support/product/app-side.ts'

let side: AppSide
let merchant: TestCustomer
beforeAll(async () => {
  side = await startAppSide()
  merchant = await aMerchant()
}, 120_000)
afterAll(() => side?.close())

async function aMerchant(): Promise<TestCustomer> {
  const customer = await side.newCustomer()
  await side.buy(customer)
  return customer
}

const send = (path: string, body: unknown, { client }: TestCustomer = merchant) =>
  client.post(`/api/receivables/${path}`, body)
async function saved<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  body: unknown,
  by: TestCustomer = merchant,
): Promise<z.output<Schema>> {
  const answer = await send(path, body, by)
  expect(answer).toMatchObject({ status: 200 })
  return schema.parse(answer.body)
}
const templatesOf = async ({ client }: TestCustomer = merchant) =>
  templatesResponse.parse((await client.get('/api/receivables/templates')).body).items
const brandOf = async ({ client }: TestCustomer = merchant) =>
  brandResponse.parse((await client.get('/api/receivables/brand')).body)

const firmText = { tone: 'firm', channel: 'text' } as const
const firmMail = { tone: 'firm', channel: 'mail' } as const

describe('the templates of a merchant', () => {
  it('are the eight originals until the merchant writes others', async () => {
    const items = await templatesOf()
    expect(items.map(({ tone, channel }) => `${tone} ${channel}`)).toEqual([
      'friendly mail',
      'friendly text',
      'firm mail',
      'firm text',
      'final mail',
      'final text',
      'thanks mail',
      'thanks text',
    ])
    for (const { subject, body, original, version, changedAt } of items) {
      expect({ subject, body }).toEqual(original)
      expect({ version, changedAt }).toEqual({ version: 0, changedAt: null })
    }
  })

  it('are saved together, seen by another window, and restored', async () => {
    const owner = await aMerchant()
    const { items } = await saved(
      saveTemplatesResponse,
      'templates',
      {
        templates: [
          { ...firmMail, subject: '{amount} open', body: ' Pay {amount}.\r\nThanks ', version: 0 },
          { ...firmText, body: 'Pay {amount}: {link}', version: 0 },
        ],
      },
      owner,
    )
    expect(items).toEqual(await templatesOf(owner))
    expect(items[2]).toMatchObject({
      ...firmMail,
      subject: '{amount} open',
      body: 'Pay {amount}.\nThanks',
      version: 1,
    })
    expect(items[2]?.changedAt).not.toBeNull()
    const late = await send(
      'templates',
      { templates: [{ ...firmText, body: 'Other {link}', version: 0 }] },
      owner,
    )
    expect(late).toMatchObject({ status: 409, body: { code: 'changed-meanwhile' } })
    const restored = await saved(
      saveTemplatesResponse,
      'templates/restore',
      { ...firmMail, version: 1 },
      owner,
    )
    expect(restored.items[2]).toMatchObject({ version: 2, changedAt: null })
    expect(restored.items[2]?.body).toBe(restored.items[2]?.original.body)
  })

  it.each([
    [{ ...firmMail, subject: 'S', body: 'Hi {clent}' }, 'Line 1, column 4: There is no variable'],
    [{ ...firmMail, subject: 'S', body: 'See evil.com' }, 'Line 1, column 5: “evil.com” reads as'],
    [{ ...firmText, body: 'Pay now' }, 'Line 1, column 8: A text needs {link}'],
    [
      { ...firmText, body: `${'word '.repeat(60)}{link}` },
      'characters, and two segments have 306. Shorten it.',
    ],
  ])('with a mistake are refused with its place: %j', async (template, sentence) => {
    const before = await templatesOf()
    const answer = await send('templates', { templates: [{ ...template, version: 0 }] })
    expect(answer.status).toBe(400)
    expect(String(answer.body?.['error'])).toContain(sentence)
    expect(await templatesOf()).toEqual(before)
  })

  it('have thanks for a payment, which are previewed as if an invoice was paid', async () => {
    const { body } = await merchant.client.post('/api/receivables/templates/preview', {
      tone: 'thanks',
      mail: 'We got {amount} for {invoices}.',
    })
    const preview = previewResponse.parse(body)
    expect(preview.mail).toMatchObject({
      topic: 'Thank you',
      subject: 'Thank you: invoice AD-1187 is paid',
      words: ['We got $840.00 for invoice AD-1187.'],
      figures: [{ label: 'Paid on invoice AD-1187', value: '$840.00' }],
      line: null,
    })
    expect(preview.text.body).toContain('Your payment of $840.00 arrived')
  })

  it('are not changed without a plan, and can be read and previewed', async () => {
    const reader = await side.newCustomer()
    const answer = await send(
      'templates',
      { templates: [{ ...firmText, body: '{link}', version: 0 }] },
      reader,
    )
    expect(answer).toMatchObject({ status: 409, body: { code: 'read-only' } })
    expect(await templatesOf(reader)).toHaveLength(8)
    await saved(previewResponse, 'templates/preview', { tone: 'final' }, reader)
  })
})

describe('the preview of a message', () => {
  it('is about an invented client without an invoice, and about a real invoice with one', async () => {
    const example = await saved(previewResponse, 'templates/preview', { tone: 'friendly' })
    expect(example).toMatchObject({ isExample: true, clientName: 'Grace Whitaker' })
    const { clientId } = await saved(addClientResponse, 'clients', { name: 'Noor <b>Aziz</b>' })
    const { receivableId } = await saved(addInvoiceResponse, `clients/${clientId}/invoices`, {
      number: 'AD-9',
      dueDate: '2026-01-13',
      amount: 12_345,
      currency: 'usd',
    })
    const real = await saved(previewResponse, 'templates/preview', {
      tone: 'firm',
      mail: 'Hello {client}.\n\n{oops} {amount}',
      text: '{client}: {amount} {link}',
      receivableId,
      brand: { senderName: 'Draft name' },
    })
    expect(real).toMatchObject({
      isExample: false,
      clientName: 'Noor <b>Aziz</b>',
      mail: { fromName: 'Draft name', words: ['Hello Noor <b>Aziz</b>.', '{oops} $123.45'] },
      text: { segments: 1, alphabet: 'gsm', mostUnits: 306, problem: null },
    })
    expect(real.text.body).toMatch(/^Draft name: Noor <b>Aziz<\/b>: \$123\.45 http.* Reply STOP/)
    const other = await aMerchant()
    const foreign = await saved(
      previewResponse,
      'templates/preview',
      { tone: 'firm', receivableId },
      other,
    )
    expect(foreign.isExample).toBe(true)
  })
})

const noBrand = { color: null, senderName: null, replyTo: null, postalAddress: null } as const
const image = async (format: 'png' | 'jpeg' | 'webp', width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3B4A9B' } })
    .withExif({ IFD0: { Copyright: 'a secret of the photographer' } })
    .toFormat(format)
    .toBuffer()
const uploaded = (content: Buffer) =>
  ({ type: 'image', content: content.toString('base64') }) as const

describe('the brand of a merchant', () => {
  it('is saved as a whole, and another window does not overwrite it', async () => {
    const owner = await aMerchant()
    expect(await brandOf(owner)).toMatchObject({
      version: 0,
      ...noBrand,
      defaults: { senderName: 'Birchwood Dental Group', replyTo: 'help@birchwooddental.example' },
    })
    const changed = await saved(
      brandResponse,
      'brand',
      {
        version: 0,
        color: '3b4a9b',
        logo: { type: 'keep' },
        senderName: 'Birchwood of Duluth',
        replyTo: 'Front@Birchwood.example',
        postalAddress: '418 Orchard Lane\r\nDuluth, MN',
      },
      owner,
    )
    expect(changed).toMatchObject({
      version: 1,
      color: '#3B4A9B',
      senderNameState: 'waits',
      replyTo: 'front@birchwood.example',
      postalAddress: ['418 Orchard Lane', 'Duluth, MN'],
    })
    const late = { ...noBrand, version: 0, logo: { type: 'keep' } }
    expect(await send('brand', late, owner)).toMatchObject({
      status: 409,
      body: { code: 'changed-meanwhile' },
    })
  })

  it.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/png'],
  ] as const)(
    'has a logo from %s, which is served for good without metadata',
    async (format, type) => {
      const owner = await aMerchant()
      const { logo } = await saved(
        brandResponse,
        'brand',
        { ...noBrand, version: 0, logo: uploaded(await image(format, 1_200, 300)) },
        owner,
      )
      expect(logo).toMatchObject({ width: 600, height: 150 })
      const response = await fetch(side.publicUrl + logo?.url)
      const content = Buffer.from(await response.arrayBuffer())
      expect(response.headers.get('content-type')).toBe(type)
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(content.includes('secret')).toBe(false)
      expect(await sharp(content).metadata()).toMatchObject({ width: 600, height: 150 })
      const removed = { ...noBrand, version: 1, logo: { type: 'remove' } }
      expect((await saved(brandResponse, 'brand', removed, owner)).logo).toBeNull()
      // Mails that were sent still show it.
      expect((await fetch(side.publicUrl + logo?.url)).status).toBe(200)
    },
  )

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'is no PNG, JPEG or WebP'],
    ['a GIF', Buffer.from('GIF89a'), 'is no PNG, JPEG or WebP'],
    ['a broken PNG', Buffer.from('89504e470d0a1a0a00000000', 'hex'), 'is damaged'],
    ['a bomb of 900 million pixels', bomb(30_000), 'more than 16 million pixels'],
    ['nothing', Buffer.alloc(0), 'is no PNG, JPEG or WebP'],
  ])('has no logo from %s', async (_what, content, sentence) => {
    const answer = await send('brand', { ...noBrand, version: 0, logo: uploaded(content) })
    expect(answer.status).toBe(400)
    expect(String(answer.body?.['error'])).toContain(sentence)
  })

  it('has no logo from a file of more than 512 kB', async () => {
    const answer = await send('brand', {
      ...noBrand,
      version: 0,
      logo: uploaded(Buffer.alloc(512 * 1024 + 3)),
    })
    expect(answer.status).toBe(400)
    expect(String(answer.body?.['error'])).toContain('The logo has 512 kB at most.')
  })

  it('has the same logo from the same file', async () => {
    const file = await image('png', 80, 80)
    expect(await encodeLogo(file)).toEqual(await encodeLogo(file))
  })

  it('has a style sheet by its color, whatever merchant has the color', async () => {
    const response = await fetch(`${side.publicUrl}/api/receivables/brand-styles/ffe066.css`)
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(await response.text()).toBe(
      ':root{--brand:#FFE066;--on-brand:#06262C;--brand-ink:#857435}\n',
    )
    const wrong = await fetch(`${side.publicUrl}/api/receivables/brand-styles/red.css`)
    expect(wrong.status).toBe(400)
  })

  it('has another sender name after an administrator approved it', async () => {
    const owner = await aMerchant()
    const name = 'Birchwood of Duluth'
    const keep = { ...noBrand, logo: { type: 'keep' } }
    await saved(brandResponse, 'brand', { ...keep, version: 0, senderName: name }, owner)
    const admin = await side.admin()
    const path = `/api/admin/users/${owner.userId}/sender-name`
    const shown = async () => senderNameResponse.parse((await admin.get(path)).body)
    expect(await shown()).toEqual({
      companyName: 'Birchwood Dental Group',
      senderName: name,
      state: 'waits',
    })
    expect(await admin.post(path, { name: 'Another name' })).toMatchObject({ status: 409 })
    expect(await admin.post(path, { name })).toMatchObject({ status: 200 })
    expect((await shown()).state).toBe('approved')
    expect((await brandOf(owner)).senderNameState).toBe('approved')
    const preview = await saved(previewResponse, 'templates/preview', { tone: 'firm' }, owner)
    expect(preview.mail.fromName).toBe(name)
  })
})

/** A PNG of 30,000 × 30,000 pixels of one color in few bytes. */
function bomb(size: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
