import { ConfigProvider, Input, Pagination, Segmented, Select, Table, Tabs } from 'antd'
import type { ThemeConfig } from 'antd'
import type { ReactElement } from 'react'

/**
 * One element of each antd component that the product uses: the build extracts their styles. A
 * component that is missing here has no styles. A test compares this list with the imports.
 */
export function StyledComponents({ theme }: { theme: ThemeConfig }): ReactElement {
  return (
    <ConfigProvider theme={theme}>
      <Input allowClear />
      <Pagination />
      <Segmented options={['One']} />
      <Select options={[]} />
      <Table expandable={{ expandedRowRender: () => null }} />
      <Tabs items={[]} />
    </ConfigProvider>
  )
}
