import { z } from 'zod'
import { isUserId, type UserId } from '#contracts/ids'
import {
  approveSenderNameRequest,
  senderNameResponse,
  type SenderNameResponse,
} from '#contracts/receivables/brand'
import { noSuchUser } from '#services/http/access'
import { commandContext } from '#services/http/command-context'
import type { Routes } from '#services/http/routes'
import type { Brands } from './brand/brands.ts'
import type { BrandState } from './brand/decide-brand.ts'
import { stateOfSenderName } from './brand/message-sender.ts'
import type { MerchantOf } from './merchant-access.ts'
import { refusedMerchantAct } from './merchant-refusals.ts'

/** An administrator allows a merchant to write to its clients under another name. */
export function senderNameRoutes({
  brands,
  merchantOf,
  findAccount,
}: {
  readonly brands: Pick<Brands, 'settingsOf' | 'approveSenderName'>
  readonly merchantOf: MerchantOf
  /** Null: there is no open account. */
  readonly findAccount: (userId: UserId) => Promise<object | null>
}): Routes {
  const params = z.object({ userId: z.string().min(1).max(255) })

  /** @throws HttpError 404 */
  async function merchantWith(text: string): Promise<UserId> {
    if (!isUserId(text) || (await findAccount(text)) === null) throw noSuchUser()
    return text
  }

  async function shown(userId: UserId, brand: BrandState): Promise<SenderNameResponse> {
    const merchant = await merchantOf(userId)
    return {
      companyName: merchant.companyName,
      senderName: brand.senderName,
      state: stateOfSenderName(brand, merchant),
    }
  }

  return (route) => {
    route({
      method: 'get',
      path: '/api/admin/users/:userId/sender-name',
      summary: 'Read the name under which a merchant wants to write to its clients',
      access: 'admin',
      right: 'read',
      params,
      answer: senderNameResponse,
      alsoAnswers: [404],
      async handle(input) {
        const userId = await merchantWith(input.params.userId)
        return shown(userId, (await brands.settingsOf(userId)).brand)
      },
    })

    route({
      method: 'post',
      path: '/api/admin/users/:userId/sender-name',
      appends: 'administrator',
      summary: 'Approve the name under which a merchant wants to write to its clients',
      access: 'admin',
      right: 'sending',
      params,
      body: approveSenderNameRequest,
      answer: senderNameResponse,
      alsoAnswers: [404, 409],
      async handle({ params: given, body }, context) {
        const userId = await merchantWith(given.userId)
        const command = commandContext(context, { kind: 'admin', id: context.adminId })
        const approved = await brands.approveSenderName(userId, body.name, command)
        if (approved.kind === 'refused') throw refusedMerchantAct(approved.refusal)
        context.admin.remember(approved.position)
        return shown(userId, approved.brand)
      },
    })
  }
}
