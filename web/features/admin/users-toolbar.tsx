import { Input, Segmented, Select } from 'antd'
import { useEffect, useState } from 'react'
import type { AdminUsersQuery } from '#contracts/admin/users'
import { CloseIcon } from '../../ui/icons.tsx'
import { ChevronDownIcon, SearchIcon } from './icons.tsx'
import type { TablePatch } from './use-table-state.ts'
import { userTypes } from './user-types.ts'
import { sortChoices } from './users-sorting.ts'

interface UsersToolbarProps {
  readonly table: AdminUsersQuery
  readonly onChange: (patch: TablePatch) => void
}

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active Users' },
  { value: 'blocked', label: 'Blocked Users' },
] satisfies { value: AdminUsersQuery['status']; label: string }[]

export function UsersToolbar({ table, onChange }: UsersToolbarProps) {
  return (
    <div className="users-toolbar" role="search" aria-label="Users">
      <SearchField value={table.search} onChange={(search) => onChange({ search })} />
      <Segmented
        className="users-status"
        aria-label="Status"
        options={statuses}
        value={table.status}
        onChange={(status) => onChange({ status })}
      />
      <Select
        className="users-type"
        aria-label="User type"
        suffixIcon={<ChevronDownIcon />}
        popupMatchSelectWidth={false}
        options={[
          { value: 0, label: 'All User Types' },
          ...userTypes.map(({ type, label }) => ({ value: type, label: `${label} (${type})` })),
        ]}
        value={table.userType ?? 0}
        onChange={(type) =>
          onChange({ userType: userTypes.find((candidate) => candidate.type === type)?.type })
        }
      />
      <Select
        className="users-sort"
        aria-label="Sort by"
        suffixIcon={<ChevronDownIcon />}
        popupMatchSelectWidth={false}
        options={sortChoices.map(({ label }) => ({ value: label, label }))}
        value={
          sortChoices.find(({ sort, order }) => sort === table.sort && order === table.order)
            ?.label ?? 'Sort by'
        }
        onChange={(label) => {
          const choice = sortChoices.find((candidate) => candidate.label === label)
          if (choice) onChange({ sort: choice.sort, order: choice.order })
        }}
      />
    </div>
  )
}

const typingPauseMs = 300

/** Searches after a pause in typing. Follows changes of the URL. */
function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value)
  const [applied, setApplied] = useState(value)
  if (value !== applied) {
    setApplied(value)
    setText(value)
  }

  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => {
      setApplied(text.trim())
      onChange(text.trim())
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [text, value, onChange])

  return (
    <Input
      className="users-search"
      aria-label="Search users"
      placeholder="Search by email, plan ID, or plan name..."
      maxLength={200}
      prefix={<SearchIcon />}
      allowClear={{ clearIcon: <ClearSearch /> }}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}

function ClearSearch() {
  return (
    <>
      <CloseIcon />
      <span className="sr-only">Clear search</span>
    </>
  )
}
