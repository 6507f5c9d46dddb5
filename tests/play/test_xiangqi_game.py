import pytest
from hand_clock import HandClock

from chuhe.common.time_control import TimeControl
from chuhe.engine import START_FEN, FenError, IllegalMoveError, InvalidMoveError, Limits, Move, Position, Score
from chuhe.engine.base_engine import OnInfo
from chuhe.engine.search_handle import StopSignal
from chuhe.play.game_clock import parse_clock
from chuhe.play.opponents import Opponent, Reply
from chuhe.play.xiangqi_game import Ending, GameError, Turn, XiangqiGame
from chuhe.protocol.search_result import SearchResult
from chuhe.records.pgn import format_pgn, parse_pgn
from chuhe.text.message import Message, verbatim

FIRST_CAPTURE = ("h2h9", "i9h9")  # any capture will do

CHECKING = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"  # the rook can give perpetual check


class ScriptedOpponent(Opponent):
    """Plays given moves (or resigns at "resign") and records its requests."""

    def __init__(self, moves: str = "", score: Score | None = None) -> None:
        self.name = "Scripted"
        self.moves = moves.split()
        self.score = score
        self.asked: list[Limits] = []
        self.new_games = 0

    def choose(self, position: Position, limits: Limits, on_info: OnInfo, stop: StopSignal | None = None) -> Reply:
        self.asked.append(limits)
        text = self.moves.pop(0)
        return SearchResult(resign=True) if text == "resign" else SearchResult(Move.from_iccs(text))

    def judge(self, position: Position, movetime: int, stop: StopSignal | None = None) -> Score | None:
        return self.score

    def new_game(self) -> None:
        self.new_games += 1


def play(game: XiangqiGame, *moves: str) -> XiangqiGame:
    for move in moves:
        game.move(move)
    return game


def test_the_four_operations() -> None:
    game = XiangqiGame((None, ScriptedOpponent("h9g7")))
    game.start()
    turn = game.move("炮二平五")
    assert (turn.text("iccs"), turn.text("wxf"), turn.number, turn.colour) == ("h2e2", "C2=5", 1, 0)
    answer = game.answer()
    assert isinstance(answer, Turn)
    assert answer.text("chinese") == "马８进７"
    view = game.view()
    assert view.pieces[22] == "C"
    assert view.last_move == (88, 69)
    assert view.turn == 0
    assert view.checked_king is None


def test_a_view_knows_check_and_captures() -> None:
    game = XiangqiGame()
    game.start("4k4/4a4/9/9/4p4/4P4/9/4C4/9/3K5 w")
    game.move("e2e5")
    view = game.view(black_at_bottom=True)
    assert view.checked_king == 85
    assert view.captured == ("p",)
    assert view.black_at_bottom


@pytest.mark.parametrize(
    ("text", "error"),
    [("h0g3", IllegalMoveError), ("b0d1", IllegalMoveError), ("hello", InvalidMoveError), ("A1,A3", IllegalMoveError)],
)
def test_a_bad_move_costs_nothing(text: str, error: type[Exception]) -> None:
    game = play(XiangqiGame(), "h2e2", "h9g7")
    fen = game.position.fen()
    with pytest.raises(error):
        game.move(text)
    assert game.position.fen() == fen
    assert len(game.turns) == 2


def test_the_reason_is_given() -> None:
    with pytest.raises(IllegalMoveError, match=r"a3|own"):
        XiangqiGame().move("a0a4")


def test_old_coordinates() -> None:
    assert str(XiangqiGame().move("J1,I1").move) == "a0a1"


def test_a_perpetual_check_is_refused_while_there_is_another_move() -> None:
    game = XiangqiGame()
    game.start("R8/4k4/9/9/9/9/9/9/9/3K5 w")
    play(game, "a9a8", "e8e9", "a8a9", "e9e8", "a9a8", "e8e9")
    with pytest.raises(IllegalMoveError, match="check with every move"):
        game.move("a8a9")  # Black could answer e9e8, the third occurrence
    assert game.ending is None
    assert len(game.turns) == 6
    game.move("a8a7")


def test_a_perpetual_check_is_played_when_there_is_nothing_else() -> None:
    game = XiangqiGame()
    game.start(CHECKING)
    play(game, "f0e0", "e8f8", "e0f0", "f8e8", "f0e0", "e8f8", "e0f0", "f8e8")
    assert game.result == "0-1"


def test_a_perpetual_check_of_a_program_loses() -> None:
    game = XiangqiGame((ScriptedOpponent("f0e0 e0f0 f0e0 e0f0"), None))
    game.start(CHECKING)
    for reply in ("e8f8", "f8e8", "e8f8", "f8e8"):
        game.answer()
        game.move(reply)
    assert game.result == "0-1"


def test_undo_and_redo_between_two_people() -> None:
    game = play(XiangqiGame(), "h2e2", "h9g7")
    assert game.undo() == 1
    assert game.turn == 1
    assert game.redo() == 1
    assert [str(turn.move) for turn in game.turns] == ["h2e2", "h9g7"]
    game.undo()
    game.move("b9c7")
    assert not game.can_redo
    with pytest.raises(GameError, match="no move to play again"):
        game.redo()


def test_undo_against_a_program_goes_back_to_the_persons_turn() -> None:
    game = XiangqiGame((None, ScriptedOpponent("h9g7 i9h9")))
    for move in ("h2e2", "h0g2"):
        game.move(move)
        game.answer()
    assert game.undo() == 2
    assert (game.turn, len(game.turns)) == (0, 2)
    assert game.redo() == 2
    assert len(game.turns) == 4


def test_nothing_to_undo() -> None:
    with pytest.raises(GameError, match="no move to take back"):
        XiangqiGame().undo()


def test_mate_ends_the_game_and_undo_reopens_it() -> None:
    game = XiangqiGame()
    game.start("3k5/1R7/R8/9/9/9/9/9/9/5K3 w")
    game.move("a7a9")
    assert game.result == "1-0"
    assert "checkmated" in (game.ending or Ending("*", verbatim(""))).text
    with pytest.raises(GameError, match="game is over"):
        game.move("f0f1")
    game.undo()
    assert game.ending is None


def test_resignation_draw_and_their_undo() -> None:
    game = play(XiangqiGame(), "h2e2")
    assert game.resign() == Ending("1-0", Message("game.resigns", side=Message("side.black")))
    game.undo()
    assert game.ending is None
    assert game.offer_draw() == Ending("1/2-1/2", Message("game.draw-agreed"))


def test_a_resignation_before_the_first_move_can_be_taken_back() -> None:
    game = XiangqiGame()
    game.resign()
    assert game.undo() == 0
    assert game.ending is None


@pytest.mark.parametrize(("score", "accepted"), [(Score(cp=200), False), (Score(cp=-200), True), (None, False)])
def test_a_program_decides_about_a_draw(score: Score | None, accepted: bool) -> None:
    """The score is from the mover's side: on Black's turn it is the program's."""
    game = play(XiangqiGame((None, ScriptedOpponent(score=score))), *FIRST_CAPTURE, "b0c2")
    assert (game.offer_draw() is not None) == accepted


def test_the_score_is_turned_when_the_person_is_to_move() -> None:
    game = play(XiangqiGame((None, ScriptedOpponent(score=Score(cp=200)))), *FIRST_CAPTURE)
    assert game.offer_draw() is not None


@pytest.mark.parametrize("moves", [[], ["h2e2"], ["h2e2", "h9g7", "h0g2"]])
def test_a_draw_before_anything_has_happened_is_declined(moves: list[str]) -> None:
    for score in (Score(cp=500), Score(cp=-500), Score(mate=-1)):
        assert play(XiangqiGame((None, ScriptedOpponent(score=score))), *moves).offer_draw() is None


def test_the_limits_are_those_of_the_side_that_is_asked_about() -> None:
    game = XiangqiGame()
    game.set_clock(parse_clock("10+5"))
    assert game.clock is not None
    game.clock._sides[1].left = 60_000
    red, black = game.limits(colour=0), game.limits(colour=1)
    assert (red.time, red.opponent_time) == (600_000, 60_000)
    assert (black.time, black.opponent_time) == (60_000, 600_000)


def test_a_program_may_resign() -> None:
    game = play(XiangqiGame((None, ScriptedOpponent("resign"))), "h2e2")
    assert game.answer() == Ending("1-0", Message("game.resigns", side=Message("side.black")))


def test_a_program_that_cheats_loses() -> None:
    game = play(XiangqiGame((None, ScriptedOpponent("a9a0"))), "h2e2")
    ending = game.answer()
    assert isinstance(ending, Ending)
    assert ending.result == "1-0"
    assert "illegal move a9a0" in ending.text


def test_a_person_is_not_asked_to_answer() -> None:
    with pytest.raises(GameError, match="played by a person"):
        XiangqiGame().answer()


def test_swap_changes_the_players() -> None:
    program = ScriptedOpponent("h2e2")
    game = XiangqiGame((None, program))
    game.swap()
    assert game.players == [program, None]
    assert game.player_tags()["Red"] == "Scripted"
    assert isinstance(game.answer(), Turn)
    assert game.resign() == Ending("1-0", Message("game.resigns", side=Message("side.black")))


def test_the_clock_runs_from_the_first_move_and_ends_the_game() -> None:
    now = HandClock()
    program = ScriptedOpponent("h9g7 i9h9")
    game = XiangqiGame((None, program), now=now)
    game.set_clock(TimeControl(60_000, 1_000))
    now.seconds = 100
    game.move("h2e2")
    now.seconds = 110
    game.answer(limits=Limits(depth=5))
    assert program.asked[0] == Limits(
        depth=5, time=50_000, increment=1_000, opponent_time=60_000, opponent_increment=1_000
    )
    assert game.clock is not None
    assert game.clock.stocks() == (60_000, 51_000)
    now.seconds = 171
    with pytest.raises(GameError, match="Red loses on time"):
        game.move("h0g2")
    assert game.result == "0-1"


def test_undo_gives_the_time_back() -> None:
    now = HandClock()
    game = XiangqiGame(now=now)
    game.set_clock(TimeControl(60_000))
    game.move("h2e2")
    now.seconds = 20
    game.move("h9g7")
    assert game.clock is not None
    assert game.clock.stocks() == (60_000, 40_000)
    game.undo()
    assert game.clock.stocks() == (60_000, 40_000)  # the time stays spent; the move can be played again
    assert game.clock.running == 1


def test_a_bad_fen_leaves_the_game_standing() -> None:
    game = play(XiangqiGame(), "h2e2")
    with pytest.raises(FenError):
        game.start("9/9/9 w")
    assert len(game.turns) == 1


def test_record_and_load() -> None:
    game = play(XiangqiGame((None, ScriptedOpponent())), "h2e2")
    game.resign()
    record = game.record()
    assert record.fen == START_FEN
    assert record.result == "0-1"
    assert record.tags["Black"] == "Scripted"
    other = XiangqiGame()
    other.load(record)
    assert other.ending == Ending("0-1", Message("game.resigns", side=Message("side.red")))
    assert [str(turn.move) for turn in other.turns] == ["h2e2"]
    assert other.undo() == 0  # the resignation
    assert other.undo() == 1
    other.move("c3c4")


def test_loading_tells_programs_of_a_new_game() -> None:
    program = ScriptedOpponent("h9g7")
    game = XiangqiGame((None, program))
    game.load(parse_pgn("1. h2e2 *")[0])
    assert program.new_games == 1
    assert isinstance(game.answer(), Turn)


def test_what_is_taken_back_stays_as_a_variation() -> None:
    game = play(XiangqiGame(), "h2e2", "h9g7", "h0g2")
    game.undo()
    game.undo()
    game.move("b9c7")
    (record,) = parse_pgn(format_pgn(game.record()))
    assert [str(move) for move in record.plain_moves] == ["h2e2", "b9c7"]
    (variation,) = record.moves[1].variations
    assert [str(recorded.move) for recorded in variation] == ["h9g7", "h0g2"]
    again = XiangqiGame()
    again.load(record)
    assert len(again.tree) == 4


def test_a_game_goes_on_from_any_position_of_its_tree() -> None:
    game = play(XiangqiGame(), "h2e2", "h9g7", "h0g2")
    game.resign()
    game.go_to(game.tree.root.children[0])
    assert game.ending is None
    assert [str(turn.move) for turn in game.turns] == ["h2e2"]
    game.move("b9c7")
    assert len(game.record().moves) == 2
