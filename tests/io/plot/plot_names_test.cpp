#include "oloid/io/plot/plot_names.h"

#include <gtest/gtest.h>

#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::plot_names_test {

// Two balls and an egg over a table; contact 2 is that of the egg.
Header header() {
  Header h = sample_header();
  h.bodies = {"table", "ball", "b.2, \"big\"", "egg"};
  h.masses = {0, 2, 1, 1};
  h.pairs = BodyPairs(std::vector<BodyPairs::Bodies>{
      {BodyId{1}, BodyId{0}}, {BodyId{2}, BodyId{0}}, {BodyId{3}, BodyId{0}}});
  h.probes.push_back({"spin", "1/s", "t", false});
  return h;
}

TEST(PlotNames, QuotesAroundWhatHasAMeaning) {
  EXPECT_EQ(quoted("ball"), "ball");
  for (const char* name : {"a,b", "a+b", "say \"a\"", "back\\slash,"})
    EXPECT_EQ(unquoted(quoted(name)), name);
  EXPECT_EQ(unquoted("  ball\t"), "ball");
}

TEST(PlotNames, SplitsOutsideOfQuotes) {
  EXPECT_EQ(*split_outside_quotes("a,\"b,c\",d", ','),
            (std::vector<std::string>{"a", "\"b,c\"", "d"}));
  EXPECT_FALSE(split_outside_quotes("a,\"b", ','));
}

TEST(ContactNamed, ByNamesOrNumber) {
  const Header h = header();
  EXPECT_EQ(*contact_named(h, "egg,table"), 2u);
  EXPECT_EQ(*contact_named(h, "table-egg"), 2u);
  EXPECT_EQ(*contact_named(h, "b.2, \"big\"-table"), 1u);
  EXPECT_EQ(*contact_named(h, "0"), 0u);
  for (const char* text : {"3", "-1", "", "egg", "egg,ball", "0x"})
    EXPECT_FALSE(contact_named(h, text)) << text;
  EXPECT_NE(to_string(contact_named(h, "egg,tabel").error()).find("did you mean egg-table?"),
            std::string::npos);
}

}  // namespace oloid::test::plot_names_test
