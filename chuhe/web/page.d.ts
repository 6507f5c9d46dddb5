// Written by tests/tools/page_types.py from outgoing.py; do not edit.

export type Notation = "iccs" | "wxf" | "chinese" | "traditional" | "rows";
export type Result = "1-0" | "0-1" | "1/2-1/2" | "*";
export type Mode = "play" | "analyse" | "practise";
export type Waiting = "play" | "ponder" | "analysis" | "review";
export type Grade = "" | "inaccuracy" | "mistake" | "blunder";
export interface PointData {
  point: number;
}
export interface FileData {
  file: number;
}
export interface PointMoveData {
  move: (number)[];
}
export type ArgumentData = string | number | PointData | FileData | PointMoveData | MessageData | (ArgumentData)[];
export interface _MessageArguments {
  args?: Record<string, ArgumentData>;
}
export interface MessageData extends _MessageArguments {
  code: string;
}
export interface EndingData {
  result: Result;
  message: MessageData;
}
export interface _JudgedExtras {
  remarks?: { [key in Notation]?: (MessageData)[] };
  squares?: (number)[];
}
export interface Judged extends _JudgedExtras {
  score: string;
  value: number;
  loss: number;
  grade: Grade;
  accuracy: number;
  depth: number;
  best: string | null;
}
export interface _NodeExtras {
  move?: string;
  texts?: (string)[];
  number?: number;
  check?: boolean;
  comment?: string;
  mark?: string;
  glyphs?: string;
  judged?: Judged;
  score?: string;
}
export interface NodeData extends _NodeExtras {
  id: number;
  parent: number | null;
}
export interface TreeData {
  fen: string;
  tags: Record<string, string>;
  nodes: (NodeData)[];
}
export interface Opinion {
  source: "network" | "table";
  message: MessageData;
}
export interface Term {
  name: MessageData;
  red: (number)[];
  black: (number)[];
}
export interface EvaluationData {
  terms: (Term)[];
  score: string;
  words: MessageData;
  opinions: (Opinion)[];
}
export interface Cursor {
  node: number;
  fen: string;
  turn: number;
  check: number | null;
  moves: (string)[];
  outcome: EndingData | null;
  opening: MessageData | null;
  evaluation: EvaluationData;
}
export interface BookMove {
  move: string;
  texts: (string)[];
  weight: number;
  share: number;
  results: (number)[] | null;
}
export interface SeatData {
  kind?: "human" | "engine" | "s0" | "s1" | "external";
  level?: number;
  index?: number;
}
export interface ClockSetting {
  base: number;
  increment: number;
  byoyomi: number;
}
export interface SeatingData {
  red: SeatData;
  black: SeatData;
  clock: ClockSetting | null;
  movetime: number;
  ponder: boolean;
  book: boolean;
}
export interface ClockData {
  red: number;
  black: number;
  running: number | null;
  byoyomi: number;
}
export interface AnalysisState {
  on: boolean;
  multipv: number;
  displaced: Waiting | null;
}
export interface ReviewState {
  done: number;
  total: number;
  displaced: Waiting | null;
}
export interface Practice {
  source: "puzzles" | "mine" | "endgames";
  theme: string | null;
  difficulty: number;
  goal: MessageData;
  level: number;
  said: { [key in Notation]?: (MessageData)[] };
  summary: MessageData | null;
  over: boolean;
  verdict: "" | "right" | "wrong" | "shown";
  refutation: (string)[];
  answers: number;
  streak: number;
  today: number;
  due: number;
}
export interface _StateExtras {
  stale?: boolean;
  tree?: TreeData;
}
export interface State extends _StateExtras {
  type: "state";
  revision: number;
  answers: number;
  room: string;
  game: string;
  mode: Mode;
  below: number;
  study: boolean;
  unsaved: MessageData | null;
  discarded: "new" | "delete" | null;
  head: number;
  cursor: Cursor;
  book: (BookMove)[];
  table: SeatingData;
  players: (MessageData)[];
  ending: EndingData | null;
  clock: ClockData | null;
  turn: number;
  canUndo: boolean;
  canRedo: boolean;
  thinking: boolean;
  waiting: Waiting | null;
  fault: MessageData | null;
  pondering: boolean;
  due: boolean;
  analysis: AnalysisState;
  review: ReviewState | null;
  practice: Practice | null;
}
export interface Scored {
  score: string;
  value: number;
}
export interface Line extends Scored {
  depth: number;
  moves: (string)[];
  texts: { [key in Notation]?: (string)[] };
}
export interface Lines {
  type: "lines";
  node: number;
  lines: (Line)[];
  depth: number;
  nodes: number;
  nps: number;
  time: number;
  chances: (number)[] | null;
  merit: { [key in Notation]?: MessageData };
}
export interface Thought extends Line {
  type: "thought";
  nodes: number;
}
export interface Suggestion extends Scored {
  node: number;
  moves: (string)[];
  texts: { [key in Notation]?: (string)[] };
  merit: { [key in Notation]?: MessageData };
}
export interface Hint extends Suggestion {
  type: "hint";
}
export interface Threat extends Suggestion {
  type: "threat";
}
export interface Tried {
  type: "tried";
  node: number;
  move: string;
  texts: (string)[];
  grade: Grade;
  loss: number;
  score: string;
}
export interface JudgedMove extends ReviewState {
  type: "judged";
  node: number;
  judged: Judged;
  mark: string;
}
export interface About {
  type: "about";
  version: string;
  engines: (string)[];
  threads: number;
  hash: number;
  levels: number;
  maxThreads: number;
  maxHash: number;
  match: boolean;
  changing: (string)[];
  damaged: (string)[];
}
export interface Notice {
  type: "notice";
  message: MessageData;
}
export interface Error {
  type: "error";
  message: MessageData;
}
export interface GameInFile {
  red: string;
  black: string;
  event: string;
  date: string;
  title: string;
  result: Result;
  moves: number;
}
export interface Games {
  type: "games";
  total: number;
  games: (GameInFile)[];
}
export interface Checked {
  type: "checked";
  fen: string;
  fault: MessageData | null;
}
export interface Export {
  type: "export";
  pgn: string;
  xqf: string;
  ubb: string;
  fen: string;
  svg: string;
  moves: string;
  name: string;
}
export interface GameEntry {
  id: string;
  red: MessageData;
  black: MessageData;
  moves: number;
  result: Result;
  title: string;
  opening: MessageData | null;
  date: string;
  fen: string;
  below: number;
}
export interface GameList {
  type: "rooms";
  games: (GameEntry)[];
  damaged: (string)[];
}
export interface Pairing {
  engines: (string)[];
  wins: number;
  draws: number;
  losses: number;
  pairs: (number)[];
  elo: string;
  low: string;
  high: string;
  los: number;
}
export interface RatingData {
  name: string;
  elo: number;
  error: number | null;
  points: number;
  games: number;
}
export interface SprtState {
  elo0: number;
  elo1: number;
  lower: number;
  upper: number;
  llr: number;
  verdict: "accepted" | "rejected" | "continue";
}
export interface RunningGameData {
  number: number;
  red: string;
  black: string;
  moves: number;
}
export interface FinishedGame extends RunningGameData {
  result: Result;
  reason: MessageData;
}
export interface WaitingMatch {
  type: "match";
  name: string;
  waiting: true;
}
export interface _MatchExtras {
  waiting?: false;
}
export interface Match extends _MatchExtras {
  type: "match";
  name: string;
  games: number;
  pairings: (Pairing)[];
  total: number;
  control: (MessageData)[];
  ratings: (RatingData)[];
  bounds: SprtState | null;
  finished: (FinishedGame)[];
  running: (RunningGameData)[];
}
export interface MatchGameData {
  type: "matchGame";
  number: number;
  players: (string)[];
  fen: string;
  running: boolean;
  nodes: (NodeData)[];
  result: Result;
  message: MessageData | null;
}
export type Outgoing = About | State | Lines | Thought | Hint | Threat | Tried | JudgedMove | Notice | Error | Games | Checked | Export | GameList | WaitingMatch | Match | MatchGameData;
