import {
  brandResponse,
  brandStyleParams,
  changeBrandRequest,
  logoParams,
  type BrandResponse,
} from '#contracts/receivables/brand'
import { commandContext } from '#services/http/command-context'
import { file, type OtherAnswer } from '#services/http/answer'
import { badRequest, HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import { brandStyle } from './brand/brand-style.ts'
import type { Brands } from './brand/brands.ts'
import type { BrandState } from './brand/decide-brand.ts'
import type { Logos } from './brand/logos.ts'
import { logoPath, stateOfSenderName } from './brand/message-sender.ts'
import { accessOf, assertMayAct, type Merchant, type MerchantOf } from './merchant-access.ts'
import { refusedMerchantAct } from './merchant-refusals.ts'

/** What a merchant's clients see of it: the settings, and the files that mails and pages show. */
export function brandRoutes({
  brands,
  logos,
  merchantOf,
  limits,
}: {
  readonly brands: Pick<Brands, 'settingsOf' | 'change'>
  readonly logos: Pick<Logos, 'read'>
  readonly merchantOf: MerchantOf
  readonly limits: Pick<Limits, 'customerChange'>
}): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/receivables/brand',
      summary: "Read the merchant's brand",
      access: 'customer',
      answer: brandResponse,
      async handle(_input, { userId }) {
        const { brand } = await brands.settingsOf(userId)
        return shownBrand(brand, await merchantOf(userId))
      },
    })

    route({
      method: 'post',
      path: '/api/receivables/brand',
      appends: 'words',
      summary: "Change the merchant's brand",
      // A file of a logo is as large as a part of an import.
      work: 'imports',
      access: 'customer',
      body: changeBrandRequest,
      answer: brandResponse,
      alsoAnswers: [403, 409, 429],
      async handle({ body }, context) {
        const { userId } = context
        await limits.customerChange.spend(userId)
        const merchant = await merchantOf(userId)
        assertMayAct(merchant)
        const { version: basedOn, logo, postalAddress, ...brand } = body
        const changed = await brands.change(
          userId,
          {
            ...brand,
            postalAddress: postalAddress === null ? null : postalAddress.split('\n'),
            logo: logo.type === 'image' ? Buffer.from(logo.content, 'base64') : logo.type,
            basedOn,
          },
          commandContext(context, { kind: 'customer', id: userId }),
        )
        if (changed.kind === 'refused-logo') throw badRequest('logo', changed.sentence)
        if (changed.kind === 'refused') throw refusedMerchantAct(changed.refusal)
        context.customer.remember(changed.position)
        return shownBrand(changed.brand, merchant)
      },
    })

    route({
      method: 'get',
      path: '/api/receivables/logos/:sha256',
      summary: "Read a merchant's logo",
      access: 'public',
      params: logoParams,
      answer: logoFile,
      alsoAnswers: [404],
      async handle({ params }, context) {
        const found = await logos.read(params.sha256)
        if (found === null) throw new HttpError(404, { error: 'There is no such logo.' })
        context.setHeader('Cache-Control', forGood)
        // Mail programs in a browser show the logo on their own pages.
        context.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
        context.setHeader('Content-Security-Policy', "default-src 'none'; sandbox")
        return found
      },
    })

    route({
      method: 'get',
      path: '/api/receivables/brand-styles/:file',
      summary: 'Read the style sheet of a color',
      access: 'public',
      params: brandStyleParams,
      answer: file('text/css; charset=utf-8', 'The style sheet: three custom properties.'),
      async handle({ params }, context) {
        context.setHeader('Cache-Control', forGood)
        return { content: brandStyle(`#${params.file.slice(0, 6).toUpperCase()}`) }
      },
    })
  }
}

/** The address has the content, so the content never changes. */
const forGood = 'public, max-age=31536000, immutable'

const logoFile: OtherAnswer<{ readonly mediaType: string; readonly content: Buffer }> = {
  status: 200,
  description: 'The logo, as the product encoded it.',
  contentTypes: ['image/png', 'image/jpeg'],
  send(response, { mediaType, content }) {
    response.type(mediaType).send(content)
  },
}

function shownBrand(brand: BrandState, merchant: Merchant): BrandResponse {
  const { logo } = brand
  return {
    access: accessOf(merchant),
    version: brand.version,
    color: brand.color,
    logo: logo === null ? null : { url: logoPath(logo), width: logo.width, height: logo.height },
    senderName: brand.senderName,
    senderNameState: stateOfSenderName(brand, merchant),
    replyTo: brand.replyTo,
    postalAddress: brand.postalAddress === null ? null : [...brand.postalAddress],
    defaults: {
      senderName: merchant.companyName ?? merchant.email,
      replyTo: merchant.email,
      postalAddress: [...merchant.address],
    },
  }
}
