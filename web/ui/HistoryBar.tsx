import { FileTools } from './FileTools.tsx';
import { formatCount } from './format.ts';
import './history-bar.css';

interface HistoryBarProps {
  count: number;
  /** There are more than these, further back. */
  hasMore?: boolean;
  /** 'run', 'runs'. */
  one: string;
  many: string;
  onSave: () => void;
  isUpright?: boolean;
}

/** Above the table of a history: how much there is, and how it is taken along. */
export const HistoryBar = ({ count, hasMore = false, one, many, onSave, isUpright = false }: HistoryBarProps) => (
  <div className="history-bar">
    <span className="muted small tabular" role="status">
      {formatCount(count)}
      {hasMore && '+'} {count === 1 && !hasMore ? one : many}
    </span>
    <FileTools isPushed onSave={onSave} title={`All ${many}`} isUpright={isUpright} />
  </div>
);
