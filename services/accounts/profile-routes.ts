import { profileResponse, updateProfileRequest } from '#contracts/account'
import { commandContext } from '#services/http/command-context'
import { HttpError } from '#services/http/http-error'
import type { Limits } from '#services/http/limits'
import type { Routes } from '#services/http/routes'
import type { Accounts } from './accounts.ts'
import type { OwnProfile } from './own-profile.ts'
import { profileDigest } from './profile-digest.ts'
import { profileFromForm, profileInForm } from './profile-from-form.ts'

export interface ProfileParts {
  readonly accounts: Accounts
  readonly ownProfile: OwnProfile
  readonly limits: Pick<Limits, 'customerChange'>
}

/** The customer's own profile: read and change. */
export function profileRoutes({ accounts, ownProfile, limits }: ProfileParts): Routes {
  return (route) => {
    route({
      method: 'get',
      path: '/api/profile',
      summary: "Show the customer's profile",
      access: 'customer',
      answer: profileResponse,
      handle: (_input, context) => ownProfile(context.userId, context),
    })

    route({
      method: 'patch',
      path: '/api/profile',
      appends: 'change',
      summary: "Change the customer's profile",
      access: 'customer',
      body: updateProfileRequest,
      answer: profileResponse,
      alsoAnswers: [409, 429],
      async handle({ body }, context) {
        const { customer, userId } = context
        await limits.customerChange.spend(userId)
        const before = await ownProfile(userId, context)
        // The first profile needs the terms. A profile that exists stays, so this check holds.
        const account = await accounts.find(userId)
        if (account === null || account.profile === null) throw signUpFirst()
        const { profile_version: basedOn, ...form } = body
        const saved = await accounts.completeProfile(
          userId,
          profileFromForm(form),
          { isOwner: true, basedOn },
          commandContext(context, { kind: 'customer', id: userId }),
        )
        if (saved.kind === 'not-owner')
          throw new Error(
            `The owner of ${userId} was refused a change of the profile. This is a bug in the account decider; report it.`,
          )
        if (saved.kind === 'changed-meanwhile')
          throw new HttpError(409, {
            error:
              'Your profile was changed in another window meanwhile, so nothing was saved. Compare it with your changes, then save again.',
            field: 'profile_version',
            reason: 'is not the version of the saved profile',
          })
        customer.remember(saved.position)
        return {
          ...before,
          profile: profileInForm(saved.profile),
          profile_version: profileDigest(saved.profile),
        }
      },
    })
  }
}

function signUpFirst(): HttpError {
  return new HttpError(
    409,
    'Your account has no profile yet. Log out, log in again and finish the sign-up, which includes the terms.',
  )
}
