import { ConfigProvider, Input, Pagination, Segmented, Select, Table, Tabs } from 'antd'
import type { ThemeConfig } from 'antd'
import type { ReactElement } from 'react'

/**
 * One of each antd component that the product uses: their styles are what the build extracts.
 * A component missing here would come up unstyled; a test compares this list with the imports.
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
