import type { ClientResponse } from '#contracts/receivables/clients'
import { unreachable } from '../../../lib/unreachable.ts'
import type { ClientAct } from '../../../api/receivables-api.ts'
import { countOf, fullDay } from '../shared/days.ts'
import { text, type ActForm, type Values } from './act-form.ts'
import { hold, release } from './agreement-forms.ts'
import { clientBody, clientFields, timeZoneName } from './client-fields.ts'
import { returnCredit, type Credit } from './credit-forms.ts'

export type ChosenClientAct =
  | { readonly type: Exclude<ClientAct['type'], 'return-credit'> }
  | { readonly type: 'return-credit'; readonly credit: Credit }

export function clientForm(act: ChosenClientAct, page: ClientResponse): ActForm {
  const { client, today } = page
  switch (act.type) {
    case 'change':
      return changeClient(page)
    case 'record-text-consent':
      return recordTextConsent(page)
    case 'withdraw-text-consent':
      return withdrawTextConsent(page)
    case 'hold':
      return hold(client.name, today)
    case 'release':
      return release(client.name)
    case 'revoke-portal-link':
      return revokePortalLink(page)
    case 'return-credit':
      return returnCredit(act.credit, client.name, today)
    case 'erase':
      return erase(page)
    default:
      return unreachable(act)
  }
}

function changeClient({ client, version }: ClientResponse): ActForm {
  return {
    title: `Change ${client.name}`,
    fields: clientFields(client),
    button: () => 'Save the change',
    says: (values) => changesIn(client, values),
    body: (values) => ({ type: 'change', ...clientBody(values), version }),
    done: 'The client is changed.',
  }
}

const labels = {
  name: 'Name',
  number: 'Client number',
  email: 'E-mail',
  phone: 'Phone',
  state: 'State',
  timeZone: 'Time zone',
  note: 'Note',
} as const

/** Each difference with before and after. */
function changesIn(client: ClientResponse['client'], values: Values): string {
  const after = clientBody(values)
  const names = Object.keys(labels) as (keyof typeof labels)[]
  const shown = (name: keyof typeof labels, value: string | null) =>
    value === null || value === '' ? 'none' : name === 'timeZone' ? timeZoneName(value) : value
  const lines = names
    .filter((name) => (client[name] ?? '') !== after[name])
    .map(
      (name) =>
        `${labels[name]}: ${shown(name, client[name])} becomes ${shown(name, after[name])}.`,
    )
  return lines.length === 0 ? 'Nothing changes yet.' : lines.join('\n')
}

function recordTextConsent({ client, today }: ClientResponse): ActForm {
  return {
    title: 'Consent to texts',
    intro: `${client.name} agreed to get texts${client.phone === null ? '' : ` at ${client.phone}`}.`,
    fields: [
      {
        kind: 'line',
        name: 'source',
        label: 'How',
        hint: 'Such as a signed form or a call. It is the proof of the consent.',
      },
      { kind: 'day', name: 'date', label: 'Date', max: today, initial: today },
    ],
    button: () => 'Record the consent',
    says: () => 'Texts to this client are allowed from now on. The next step by text goes out.',
    body: (values) => ({
      type: 'record-text-consent',
      source: text(values, 'source'),
      date: text(values, 'date'),
    }),
    done: 'The consent is recorded.',
  }
}

function withdrawTextConsent({ client, textConsent }: ClientResponse): ActForm {
  return {
    title: 'Withdraw the consent to texts',
    fields: [],
    button: () => 'Withdraw the consent',
    says: () =>
      `${client.name} gets no texts from now on.${textConsent === null ? '' : ` The consent of ${fullDay(textConsent.date)} stays in the history.`}`,
    body: () => ({ type: 'withdraw-text-consent' }),
    done: 'The consent is withdrawn.',
  }
}

function revokePortalLink({ client, portal }: ClientResponse): ActForm {
  return {
    title: 'Revoke the portal link',
    isRisky: true,
    fields: [],
    button: () => 'Revoke the link',
    says: () =>
      `The link leads nowhere from then on, also in messages that ${client.name} has. Later messages have a new one.`,
    body: () => ({ type: 'revoke-portal-link', generation: portal?.generation ?? 0 }),
    done: 'The link is revoked. The page shows the new one.',
  }
}

function erase({ client, invoices }: ClientResponse): ActForm {
  return {
    title: `Erase ${client.name}`,
    isRisky: true,
    fields: [
      {
        kind: 'line',
        name: 'name',
        label: 'Type the name of the client to confirm',
        hint: client.name,
      },
    ],
    button: () => 'Erase for good',
    says: () =>
      `Name, addresses, notes and all texts about this client are destroyed for good. ${countOf(invoices, 'invoice stays', 'invoices stay')} with amounts and dates. This cannot be undone.`,
    body: (values) => ({ type: 'erase', name: text(values, 'name') }),
    done: 'The client is erased.',
  }
}
