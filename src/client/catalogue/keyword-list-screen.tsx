import { keywords } from '../../contract/keywords.ts'
import { ResourceScreen } from '../ui/lists/resource-screen.tsx'
import { longStillMs } from '../ui/use-debounced.ts'

export const KeywordListScreen = () => <ResourceScreen of={keywords} searchMs={longStillMs} />
