import { useSearch } from '@tanstack/react-router';
import type { ReportSearch } from './report-search.ts';

export const useReportSearch = (): ReportSearch => useSearch({ strict: false }) as ReportSearch;
