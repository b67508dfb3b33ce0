import type { MerchantEvent } from '#contracts/events/merchant'
import type { Instant } from '#contracts/instant'
import { accepted, refused, unreachable, type Decider } from '#services/foundation/decider'
import {
  decideReminders,
  evolveReminders,
  initialReminderSettings,
  type ReminderCommand,
  type ReminderRefusal,
  type ReminderSettings,
} from './schedule/reminder-settings.ts'
import {
  decideBrand,
  evolveBrand,
  initialBrand,
  type BrandCommand,
  type BrandRefusal,
  type BrandState,
} from './brand/decide-brand.ts'
import {
  decideTemplates,
  evolveTemplates,
  type TemplateCommand,
  type TemplatesState,
} from './templates/decide-templates.ts'
import {
  decideWaysToPay,
  disconnectErased,
  evolveWaysToPay,
  initialWaysToPay,
  type WaysToPay,
  type WaysToPayCommand,
  type WaysToPayRefusal,
} from './ways-to-pay/decide-ways-to-pay.ts'

export interface MerchantState {
  readonly reminders: ReminderSettings
  /** The keys with which programs add invoices, by id, oldest first. */
  readonly keys: ReadonlyMap<string, ApiKey>
  readonly templates: TemplatesState
  readonly brand: BrandState
  readonly payments: WaysToPay
  readonly isErased: boolean
}

interface ApiKey {
  readonly name: string
  /** SHA-256 of the key, in hexadecimal digits. */
  readonly hash: string
  /** The last characters of the key. */
  readonly ending: string
  readonly isRevoked: boolean
}

/** Keys of a merchant that are not revoked. */
const maxApiKeys = 20

export type MerchantRefusal =
  | 'erased'
  | 'too-many-keys'
  | 'unknown-key'
  | ReminderRefusal
  | BrandRefusal
  | WaysToPayRefusal

export type MerchantCommand =
  | ReminderCommand
  | {
      readonly type: 'make-api-key'
      readonly keyId: string
      readonly name: string
      readonly hash: string
      readonly ending: string
      readonly at: Instant
    }
  | { readonly type: 'revoke-api-key'; readonly keyId: string; readonly at: Instant }
  | TemplateCommand
  | BrandCommand
  | WaysToPayCommand
  /** The account was erased, and had clients. */
  | { readonly type: 'erase-merchant'; readonly at: Instant }

/** How a customer of the product collects its receivables. */
export const merchantDecider: Decider<
  'merchant',
  MerchantState,
  MerchantCommand,
  MerchantEvent,
  MerchantRefusal
> = {
  category: 'merchant',
  initialState: {
    reminders: initialReminderSettings,
    keys: new Map(),
    templates: new Map(),
    brand: initialBrand,
    payments: initialWaysToPay,
    isErased: false,
  },

  evolve(state, event) {
    switch (event.type) {
      case 'TimeZoneChosen':
      case 'ScheduleChanged':
      case 'RemindersTurnedOn':
      case 'RemindersTurnedOff':
      case 'SendingStopped':
      case 'SendingAllowed':
      case 'SendingLimitsSet':
        return { ...state, reminders: evolveReminders(state.reminders, event) }
      case 'ApiKeyMade': {
        const { keyId, name, hash, ending } = event.data
        const key = { name, hash, ending, isRevoked: false }
        return { ...state, keys: new Map(state.keys).set(keyId, key) }
      }
      case 'ApiKeyRevoked': {
        const key = state.keys.get(event.data.keyId)
        if (key === undefined) return state
        const revoked = { ...key, isRevoked: true }
        return { ...state, keys: new Map(state.keys).set(event.data.keyId, revoked) }
      }
      case 'TemplateChanged':
      case 'TemplateRestored':
        return { ...state, templates: evolveTemplates(state.templates, event) }
      case 'BrandChanged':
      case 'SenderNameApproved':
        return { ...state, brand: evolveBrand(state.brand, event) }
      case 'PaymentAccountCreated':
      case 'PaymentAccountReconnected':
      case 'PaymentAccountChanged':
      case 'PaymentAccountDisconnected':
      case 'GatewayLinkChanged':
      case 'PayInstructionsChanged':
        return { ...state, payments: evolveWaysToPay(state.payments, event) }
      case 'MerchantErased':
        return {
          ...state,
          payments: { ...state.payments, gatewayLink: null, instructions: null },
          isErased: true,
        }
      default:
        return unreachable(event)
    }
  },

  decide(command, state) {
    const occurredAt = command.at
    switch (command.type) {
      case 'change-schedule':
      case 'turn-reminders-on':
      case 'turn-reminders-off':
      case 'stop-sending':
      case 'allow-sending':
      case 'set-sending-limits':
        if (state.isErased) return refused('erased')
        return decideReminders(command, state.reminders)
      case 'make-api-key': {
        const { keyId, name, hash, ending } = command
        if (state.isErased) return refused('erased')
        if (state.keys.has(keyId)) return accepted()
        const usable = [...state.keys.values()].filter((key) => !key.isRevoked)
        if (usable.length >= maxApiKeys) return refused('too-many-keys')
        return accepted({ type: 'ApiKeyMade', data: { keyId, name, hash, ending }, occurredAt })
      }
      case 'revoke-api-key': {
        const key = state.keys.get(command.keyId)
        if (key === undefined) return refused('unknown-key')
        if (key.isRevoked) return accepted()
        return accepted({ type: 'ApiKeyRevoked', data: { keyId: command.keyId }, occurredAt })
      }
      case 'change-templates':
      case 'restore-template':
        return state.isErased ? refused('erased') : decideTemplates(command, state.templates)
      case 'change-brand':
      case 'approve-sender-name':
        return state.isErased ? refused('erased') : decideBrand(command, state.brand)
      case 'use-payment-account':
      case 'record-payment-account':
      case 'disconnect-payment-account':
      case 'change-gateway-link':
      case 'change-pay-instructions':
        return state.isErased ? refused('erased') : decideWaysToPay(command, state.payments)
      case 'erase-merchant':
        if (state.isErased) return accepted()
        return accepted<MerchantEvent>(...disconnectErased(state.payments, occurredAt), {
          type: 'MerchantErased',
          data: {},
          occurredAt,
        })
      default:
        return unreachable(command)
    }
  },
}
