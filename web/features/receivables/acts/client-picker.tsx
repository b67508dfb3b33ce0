import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { useListClientsQuery } from '../../../api/receivables-api.ts'
import './client-picker.css'

export interface PickedClient {
  /** Null for a new client. */
  readonly clientId: string | null
  readonly name: string
}

interface ClientPickerProps {
  readonly value: PickedClient | null
  readonly onChange: (client: PickedClient | null) => void
}

const shownClients = 6
const listed = { filter: 'all', sort: 'name', order: 'asc', pageSize: 20 } as const

/**
 * A field that proposes clients while a name is typed, and a new client of that name. The field
 * keeps the focus and takes the keys of its options.
 */
export function ClientPicker({ value, onChange }: ClientPickerProps) {
  const id = useId()
  const [text, setText] = useState(value?.name ?? '')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const [isLeft, setLeft] = useState(false)
  const search = text.trim()
  const { data, currentData } = useListClientsQuery({ search, ...listed })
  const options = optionsOf(data?.items ?? [], search)
  const isListed = isOpen && options.length > 0

  function pick(option: PickedClient): void {
    onChange(option)
    setText(option.name)
    setOpen(false)
  }

  // The full name of one known client, typed, is that client. The answer can come after the focus
  // has left.
  const named = isLeft && value === null ? onlyNamed(currentData?.items ?? [], search) : null
  useEffect(() => {
    if (named === null) return
    setText(named.name)
    onChange(named)
  }, [named, onChange])

  function onKeyDown(event: KeyboardEvent): void {
    switch (event.key) {
      case 'ArrowDown':
        event.preventDefault()
        setOpen(true)
        return setActive(isListed ? Math.min(active + 1, options.length - 1) : 0)
      case 'ArrowUp':
        event.preventDefault()
        return setActive(Math.max(active - 1, 0))
      case 'Enter': {
        const option = options[active]
        if (!isListed || option === undefined) return
        event.preventDefault()
        return pick(option)
      }
      case 'Escape':
        if (!isListed) return
        event.preventDefault()
        event.stopPropagation()
        return setOpen(false)
    }
  }

  return (
    <div className="field client-picker">
      <div className="field-head">
        <label htmlFor={id}>Client</label>
      </div>
      <input
        id={id}
        className="input"
        role="combobox"
        autoComplete="off"
        dir="auto"
        aria-expanded={isListed}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isListed ? `${id}-${active}` : undefined}
        placeholder="Name, or a new one"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
          setOpen(true)
          if (value !== null) onChange(null)
        }}
        onFocus={() => {
          setOpen(value === null)
          setLeft(false)
        }}
        onBlur={() => {
          setOpen(false)
          setLeft(true)
        }}
        onKeyDown={onKeyDown}
      />
      {isListed && (
        <div id={`${id}-list`} className="client-options" role="listbox" aria-label="Clients">
          {options.map((option, index) => (
            <ClientOption
              key={option.clientId ?? 'new'}
              id={`${id}-${index}`}
              option={option}
              isActive={index === active}
              onPick={() => pick(option)}
            />
          ))}
        </div>
      )}
      <p className="act-hint" role="status">
        {value?.clientId === null ? 'A new client is added with the invoice.' : ''}
      </p>
    </div>
  )
}

interface Option extends PickedClient {
  /** What tells two clients of one name apart. */
  readonly detail: string
}

interface ClientOptionProps {
  readonly id: string
  readonly option: Option
  readonly isActive: boolean
  readonly onPick: () => void
}

function ClientOption({ id, option, isActive, onPick }: ClientOptionProps) {
  return (
    // oxlint-disable-next-line click-events-have-key-events, interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      {option.clientId === null ? (
        <>
          New client <b dir="auto">{option.name}</b>
        </>
      ) : (
        <>
          <b dir="auto">{option.name}</b> <small>{option.detail}</small>
        </>
      )}
    </div>
  )
}

interface ListedClient {
  readonly clientId: string
  readonly name: string
  readonly number: string | null
  readonly email: string | null
  readonly isErased: boolean
}

function optionsOf(clients: readonly ListedClient[], search: string): Option[] {
  const known = clients
    .filter(({ isErased }) => !isErased)
    .slice(0, shownClients)
    .map(({ clientId, name, number, email }) => ({
      clientId,
      name,
      detail: [number, email].filter((text) => text !== null).join(', '),
    }))
  return search === '' ? known : [...known, { clientId: null, name: search, detail: '' }]
}

function onlyNamed(clients: readonly ListedClient[], name: string): PickedClient | null {
  const [known, another] = clients.filter(
    (client) => !client.isErased && client.name.toLowerCase() === name.toLowerCase(),
  )
  return known === undefined || another !== undefined ? null : known
}
