import type { HTMLAttributes, ReactNode } from 'react'
import { testCards } from '../billing/cards.ts'
import { formatDay } from '../billing/format.ts'
import {
  countries,
  type CardDates,
  type CardField,
  type FieldErrors,
  type TypedForm,
} from './card-form.ts'

interface FieldsProps {
  readonly form: TypedForm
  readonly errors: FieldErrors
  /** The issuer declined the card: the card number gets the focus. */
  readonly isDeclined: boolean
}

/** The fields of a card form. Each invalid field shows its error. */
export function CardFields({ form, errors, isDeclined }: FieldsProps) {
  const firstWrong = isDeclined ? 'cardNumber' : Object.keys(errors)[0]
  const text = (name: CardField, label: string, rest: TextProps = {}) => (
    <TextField
      name={name}
      label={label}
      value={form[name]}
      error={errors[name]}
      focused={firstWrong === name}
      {...rest}
    />
  )
  return (
    <>
      {text('email', 'E-mail', { type: 'email', autoComplete: 'email', isWide: true })}
      {text('cardNumber', 'Card number', {
        inputMode: 'numeric',
        autoComplete: 'cc-number',
        placeholder: '1234 1234 1234 1234',
        isWide: true,
      })}
      {text('expiry', 'Expiry', {
        inputMode: 'numeric',
        autoComplete: 'cc-exp',
        placeholder: 'MM / YY',
      })}
      {text('cvc', 'CVC', {
        inputMode: 'numeric',
        autoComplete: 'cc-csc',
        placeholder: '3 digits',
      })}
      {text('name', 'Name on card', { autoComplete: 'cc-name', isWide: true })}
      <Field name="country" label="Country" error={errors.country}>
        <div className="select">
          <select
            className="input"
            id="country"
            name="country"
            defaultValue={form.country}
            autoComplete="country"
            {...described('country', errors.country)}
          >
            {countries.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </Field>
      {text('postalCode', 'ZIP', { autoComplete: 'postal-code' })}
    </>
  )
}

/** A clock that is this far ahead surprises a visitor who types an expiry. Seconds. */
const noticeable = 86_400

/** `isPayment`: on the page of a payment; only there a card pays later. */
export function TestCards({
  now,
  today,
  isPayment = false,
}: CardDates & { readonly isPayment?: boolean }) {
  return (
    <section className="test-cards">
      <h2>Test cards</h2>
      <ul>
        {testCards.map(({ number, description, delayed }) =>
          description === null || (delayed !== undefined && !isPayment) ? null : (
            <li key={number}>
              <span className="mono">{number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}</span>
              {description}
            </li>
          ),
        )}
      </ul>
      <p>Use any future expiry and any CVC.</p>
      {now - today > noticeable && (
        <p>
          The sandbox’s clock is at {formatDay(now)}. It moves an expiry before that day ahead, by
          as much as the clock is ahead of your calendar.
        </p>
      )}
    </section>
  )
}

interface TextProps {
  readonly type?: 'email' | 'text'
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  readonly autoComplete?: string
  readonly placeholder?: string
  readonly isWide?: boolean
}

function TextField({
  name,
  label,
  value,
  error,
  focused,
  isWide,
  type = 'text',
  ...rest
}: TextProps & {
  readonly name: CardField
  readonly label: string
  readonly value: string
  readonly error: string | undefined
  readonly focused: boolean
}) {
  return (
    <Field name={name} label={label} error={error} isWide={isWide ?? false}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- only after a refused form: the focus goes to the field to correct */}
      <input
        className="input num"
        id={name}
        name={name}
        type={type}
        defaultValue={value}
        autoFocus={focused}
        {...rest}
        {...described(name, error)}
      />
    </Field>
  )
}

function Field({
  name,
  label,
  error,
  isWide = false,
  children,
}: {
  readonly name: CardField
  readonly label: string
  readonly error: string | undefined
  readonly isWide?: boolean
  readonly children: ReactNode
}) {
  return (
    <div className={isWide ? 'field card-wide' : 'field'}>
      <div className="field-head">
        <label htmlFor={name}>{label}</label>
      </div>
      {children}
      {error !== undefined && (
        <p className="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

function described(name: CardField, error: string | undefined) {
  return error === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${name}-error` }
}
