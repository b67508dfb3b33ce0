import { z } from 'zod'
import { event, mayGrow, personal, type EventsOf } from './define-event.ts'

/** Owned by the stored events: an API that offers other roles does not change what is stored. */
const role = mayGrow(z.enum(['owner', 'support', 'finance', 'reader']))

const person = {
  adminId: z.string(),
  name: personal(z.string()),
  email: personal(z.string()),
}

/**
 * Stream `administrators-all`: who administers the product. One stream, so that the rules about all
 * administrators, such as the last owner, are decided at one revision. The key of the personal
 * fields belongs to the administrator.
 */
export const administratorsEvents = {
  AdministratorAdded: event(['administrator'], { ...person, role }),
  AdministratorRenamed: event(['administrator'], person),
  AdministratorRoleChanged: event(['administrator'], { adminId: z.string(), from: role, to: role }),
  AdministratorEnded: event(['administrator'], { adminId: z.string() }),
  /** A public key of WebAuthn (https://www.w3.org/TR/webauthn-3/) with which a person signs in. */
  PasskeyAdded: event(['administrator'], {
    adminId: z.string(),
    /** The credential's id and public key (COSE), in base64url. */
    passkeyId: z.string(),
    publicKey: z.string(),
    /** How the browser reaches the authenticator, such as `internal` and `usb`. */
    transports: z.array(z.string()),
    /** What the person calls it, such as `Work laptop`. */
    label: personal(z.string()),
    /** How often the authenticator had signed. 0 also if the authenticator does not count. */
    counter: z.int().min(0),
  }),
  PasskeyRenamed: event(['administrator'], {
    adminId: z.string(),
    passkeyId: z.string(),
    label: personal(z.string()),
  }),
  PasskeyRemoved: event(['administrator'], { adminId: z.string(), passkeyId: z.string() }),
} as const

export type AdministratorsEvent = EventsOf<typeof administratorsEvents>
