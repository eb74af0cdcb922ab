#include "visviva/text/robot/convert_robot.h"

#include <gtest/gtest.h>

#include "visviva/base/render.h"
#include "visviva/text/build/read_model.h"

namespace visviva {
namespace {

std::string convert_text(const std::string& xml, const RobotOptions& options = {}) {
  const SourceText source{"folder/robot.urdf", xml};
  const ConvertedRobot robot = convert_robot(source, options);
  return robot.text ? *robot.text : render_diagnostics(robot.diagnostics, source);
}

std::string link_text(const std::string& name, const std::string& mass) {
  return "<link name='" + name + "'><inertial><mass value='" + mass +
         "'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>";
}

// A robot of one joint, whose child weighs 2 kg.
std::string one_joint(const std::string& joint, const std::string& type = "revolute") {
  return "<robot name='r'><link name='a'/>" + link_text("b", "2") + "<joint name='q' type='" +
         type + "'><parent link='a'/><child link='b'/>" + joint + "</joint></robot>";
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(convert_robot, writes_a_model_that_a_person_would_write) {
  EXPECT_EQ(
      convert_text(one_joint("<origin xyz='0 0 1' rpy='0 0 0.5'/><axis xyz='0 1 0'/>"
                             "<limit lower='-1' upper='2'/><dynamics damping='3' friction='4'/>")),
      R"(model r "From robot.urdf"

parameter g = 9.81 m/s^2
gravity -g*N.z

frame a = rotate(N, x, 0)
point a_o = No
picture a_picture of a at a_o + 0.5 m*a.z, capsule radius 0.12 m, length 1 m along z

# q: revolute, from -1 to 2, dry friction, not modelled: 4
coordinate q
frame q_frame = rotate(a, z, 0.5 rad)
frame b = rotate(q_frame, y, q)
point b_o = a_o + 1 m*a.z
body b at b_o, mass 2 kg, inertia 1 kg*m^2, 1 kg*m^2, 1 kg*m^2
damper q_damper on q, rate 3 N*m*s
)");
}

// What a file writes of right angles is read as such where its last digit is the only difference.
TEST(convert_robot, knows_right_angles) {
  const auto turned = [](const std::string& rpy) {
    return convert_text(one_joint("<origin rpy='" + rpy + "'/><axis xyz='0 0 1'/>"));
  };
  EXPECT_TRUE(has_line(turned("1.5707963267948966 0 0"), "frame q_frame = rotate(a, x, 90 deg)"));
  EXPECT_TRUE(has_line(turned("-1.570796326794897 0 3.141592653589793"),
                       "frame q_frame = rotate(a, space xyz, -90 deg, 0 rad, 180 deg)"));
  EXPECT_TRUE(
      has_line(turned("1.57079632679 0 0"), "frame q_frame = rotate(a, x, 1.57079632679 rad)"));
}

// A joint that is turned about its own axis for good has its angle there, and no frame between.
TEST(convert_robot, adds_a_turn_about_the_axis_to_the_angle) {
  const auto turned = [](const std::string& rpy, const std::string& axis) {
    return convert_text(one_joint("<origin rpy='" + rpy + "'/><axis xyz='" + axis + "'/>"));
  };
  EXPECT_TRUE(has_line(turned("0 0 0.5", "0 0 1"), "frame b = rotate(a, z, q + 0.5 rad)"));
  EXPECT_TRUE(has_line(turned("0 -0.5 0", "0 -1 0"), "frame b = rotate(a, y, -q - 0.5 rad)"));
  EXPECT_TRUE(has_line(turned("0 0.5 0.1", "0 -1 0"), "frame b = rotate(q_frame, y, -q)"));
}

TEST(convert_robot, knows_every_joint_of_urdf) {
  const std::string slide = convert_text(one_joint("<axis xyz='1 0 0'/>", "prismatic"));
  EXPECT_TRUE(has_line(slide, "point b_o = a_o + q*a.x")) << slide;
  const std::string planar = convert_text(one_joint("<axis xyz='0 0 1'/>", "planar"));
  EXPECT_TRUE(has_line(planar, "point b_o = a_o + q_1*a.x + q_2*a.y")) << planar;
  EXPECT_TRUE(has_line(planar, "frame b = rotate(a, z, q_angle)")) << planar;
  const std::string free = convert_text(one_joint("", "floating"));
  EXPECT_TRUE(has_line(free, "frame b = quaternion(a, q_e0, q_e1, q_e2, q_e3)")) << free;
  EXPECT_TRUE(has_line(free, "point b_o = a_o + q_x*a.x + q_y*a.y + q_z*a.z")) << free;
  const std::string fixed = convert_text(one_joint("<origin xyz='1 0 0'/>", "fixed"));
  EXPECT_TRUE(has_line(fixed, "# a does not move: its mass, 2 kg, changes nothing")) << fixed;
  for (const std::string& text : {slide, planar, free})
    EXPECT_TRUE(read_model({"robot.viva", text}).model) << text;
}

TEST(convert_robot, lets_the_base_float_when_asked) {
  const std::string text =
      convert_text(one_joint("<origin xyz='1 0 0'/>", "fixed"),
                   {.is_floating = true, .prefix = "R_", .frame = "A", .point = "P"});
  EXPECT_TRUE(
      has_line(text, "frame R_a = quaternion(A, R_base_e0, R_base_e1, R_base_e2, R_base_e3)"))
      << text;
  EXPECT_TRUE(has_line(text, "point R_a_o = P + R_base_x*A.x + R_base_y*A.y + R_base_z*A.z"))
      << text;
  // What is fixed to the base belongs to it: 2 kg at 1 m.
  EXPECT_NE(text.find("body R_a at R_a_o + 1 m*R_a.x, mass 2 kg"), std::string::npos) << text;
}

TEST(convert_robot, keeps_the_mass_of_a_base_that_stands_on_something) {
  const std::string robot = one_joint("", "fixed");
  const RobotOptions held{.is_part = true, .prefix = "R_", .point = "P"};
  EXPECT_NE(convert_text(robot, held).find("\nbody R_a at R_a_o, mass 2 kg"), std::string::npos);
  EXPECT_EQ(convert_text(robot).find("\nbody"), std::string::npos);
}

TEST(convert_robot, follows_mimics_through_others) {
  const std::string text =
      convert_text("<robot name='r'><link name='a'/>" + link_text("b", "1") + link_text("c", "1") +
                   link_text("d", "1") +
                   "<joint name='p' type='revolute'><parent link='a'/><child link='b'/></joint>"
                   "<joint name='q' type='revolute'><parent link='b'/><child link='c'/>"
                   "<mimic joint='p' multiplier='2' offset='0.5'/></joint>"
                   "<joint name='s' type='revolute'><parent link='c'/><child link='d'/>"
                   "<mimic joint='q' multiplier='-1'/><dynamics damping='4'/></joint></robot>");
  EXPECT_TRUE(has_line(text, "frame c = rotate(b, x, 2*p + 0.5 rad)")) << text;
  EXPECT_TRUE(has_line(text, "frame d = rotate(c, x, -(2*p + 0.5 rad))")) << text;
  EXPECT_TRUE(has_line(text, "dissipation s_damper = 2 N*m*s*(-2*p')^2")) << text;
  EXPECT_TRUE(read_model({"robot.viva", text}).model);
}

TEST(convert_robot, turns_a_pinion_that_mimics_its_rack) {
  const std::string text =
      convert_text("<robot name='r'><link name='a'/>" + link_text("b", "1") + link_text("c", "1") +
                   "<joint name='s' type='prismatic'><parent link='a'/><child link='b'/></joint>"
                   "<joint name='q' type='continuous'><parent link='a'/><child link='c'/>"
                   "<mimic joint='s' multiplier='-20'/></joint></robot>");
  EXPECT_TRUE(has_line(text, "frame c = rotate(a, x, (-20 rad/m)*s)")) << text;
  EXPECT_TRUE(read_model({"robot.viva", text}).model);
}

TEST(convert_robot, puts_a_line_behind_reserved_names) {
  const std::string text = convert_text(
      "<robot name='r'><link name='N'/>" + link_text("left arm", "1") + link_text("left_arm", "1") +
      "<joint name='g' type='continuous'><parent link='N'/><child link='left arm'/></joint>"
      "<joint name='E' type='continuous'><parent link='N'/><child "
      "link='left_arm'/></joint></robot>");
  EXPECT_TRUE(has_line(text, "coordinate g_")) << text;
  EXPECT_TRUE(has_line(text, "coordinate E_")) << text;
  EXPECT_TRUE(has_line(text, "frame N_ = rotate(N, x, 0)")) << text;
  EXPECT_TRUE(has_line(text, "frame left_arm = rotate(N_, x, g_)")) << text;
  EXPECT_TRUE(has_line(text, "frame left_arm_2 = rotate(N_, x, E_)")) << text;
}

TEST(convert_robot, names_what_it_cannot_read_with_its_line) {
  const ConvertedRobot robot =
      convert_robot({"r.urdf",
                     "<robot name='r'>\n  <link name='a'>\n    <inertial><mass "
                     "value='2,5'/></inertial>\n  </link></robot>"});
  ASSERT_FALSE(robot.text);
  EXPECT_EQ(robot.diagnostics[0].code, "E-robot-value");
  EXPECT_EQ(robot.diagnostics[0].span.line, 3);
}

TEST(convert_robot, refuses_what_is_too_deep) {
  std::string deep = "<robot name='r'>";
  for (int i = 0; i < 300; ++i) deep += "<a>";
  for (int i = 0; i < 300; ++i) deep += "</a>";
  const ConvertedRobot robot = convert_robot({"r.urdf", deep + "</robot>"});
  ASSERT_FALSE(robot.text);
  EXPECT_EQ(robot.diagnostics[0].code, "E-robot-file");
}

TEST(convert_robot, never_reads_another_file) {
  const std::string text = convert_text(
      "<!DOCTYPE robot [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><robot name='r'><link "
      "name='&e;'/></robot>");
  EXPECT_EQ(text.find("root"), std::string::npos);
}

// The same arm in both formats: SDF has places in the model's frame and a joint off its child's origin.
TEST(convert_robot, reads_sdf) {
  const std::string text = convert_text(R"(<sdf version='1.9'><model name='m'>
    <link name='a'><inertial><mass>1</mass></inertial></link>
    <link name='b'><pose>1 2 0 0 0 1.5</pose><inertial><pose>0.5 0 0 0 0 0</pose><mass>2</mass>
      <inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz></inertia></inertial></link>
    <joint name='hold' type='fixed'><parent>world</parent><child>a</child></joint>
    <joint name='q' type='revolute'><parent>a</parent><child>b</child><pose>0.25 0 0 0 0 0</pose>
      <axis><xyz expressed_in='__model__'>0 0 1</xyz><dynamics><damping>3</damping></dynamics></axis></joint>
    </model></sdf>)");
  EXPECT_TRUE(has_line(text, "frame b = rotate(a, z, q + 1.5 rad)")) << text;
  EXPECT_TRUE(has_line(text, "damper q_damper on q, rate 3 N*m*s")) << text;
  EXPECT_NE(text.find("- 0.25 m*b.x"), std::string::npos) << text;
  EXPECT_NE(text.find("body b at b_o + 0.5 m*b.x, mass 2 kg"), std::string::npos) << text;
  EXPECT_TRUE(read_model({"robot.viva", text}).model);
}

TEST(convert_robot, reads_loops_of_mjcf) {
  const std::string text = convert_text(R"(<mujoco model='m'><worldbody>
    <body name='a'><joint name='p'/><geom size='0.1'/></body>
    <body name='b' pos='1 0 0'><joint name='q'/><geom size='0.1'/></body></worldbody>
    <equality><connect name='loop' body1='a' body2='b' anchor='0.5 0.5 0'/>
    <joint name='gears' joint1='p' joint2='q' polycoef='0 2 0 0 0'/></equality></mujoco>)");
  EXPECT_TRUE(has_line(text, "point loop_1 = a_o + 0.5 m*a.x + 0.5 m*a.y")) << text;
  EXPECT_TRUE(has_line(text, "point loop_2 = b_o - 0.5 m*b.x + 0.5 m*b.y")) << text;
  EXPECT_TRUE(has_line(text, "constraint loop: loop_1 - loop_2 = 0")) << text;
  EXPECT_TRUE(has_line(text, "constraint gears: (p) = (2)*((q))")) << text;
  EXPECT_TRUE(read_model({"robot.viva", text}).model);
}

TEST(convert_robot, refuses_or_remarks_what_mjcf_would_change_the_motion_by) {
  const std::string body =
      "<worldbody><body name='a' gravcomp='1'><joint name='q'/><geom "
      "size='0.1'/></body></worldbody>";
  const ConvertedRobot bound =
      convert_robot({"r.xml", "<mujoco><compiler boundinertia='1'/>" + body + "</mujoco>"});
  ASSERT_FALSE(bound.text);
  EXPECT_EQ(bound.diagnostics[0].code, "E-robot-value");
  const ConvertedRobot fluid =
      convert_robot({"r.xml", "<mujoco><option density='1.2'/>" + body +
                                  "<actuator><motor joint='q'/></actuator></mujoco>"});
  ASSERT_TRUE(fluid.text);
  EXPECT_EQ(fluid.diagnostics.size(), 3u);
}

// 4/3 pi r^3 and 2/5 m r^2; a capsule of no length is a ball.
TEST(convert_robot, weighs_the_solids_of_mjcf) {
  for (const char* geom :
       {"<geom type='sphere' size='0.5'/>", "<geom type='capsule' size='0.5 0'/>",
        "<geom type='ellipsoid' size='0.5 0.5 0.5'/>"}) {
    const std::string text =
        convert_text(std::string("<mujoco><worldbody><body name='a'><joint name='q'/>") + geom +
                     "</body></worldbody></mujoco>");
    EXPECT_NE(text.find("mass 523.598775598298"), std::string::npos) << text;
    EXPECT_NE(text.find("inertia 52.3598775598298"), std::string::npos) << text;
  }
}

std::string mjcf(const std::string& inside) {
  return convert_text("<mujoco>" + inside + "</mujoco>");
}

std::string error_of(const std::string& xml) {
  const ConvertedRobot robot = convert_robot({"r.urdf", xml});
  return robot.text ? "" : robot.diagnostics[0].message + "; " + robot.diagnostics[0].help;
}

TEST(convert_robot, moves_in_any_plane) {
  const std::string text = convert_text(one_joint("<axis xyz='1 0 1'/>", "planar"));
  EXPECT_TRUE(has_line(text, "frame q_moved = rotate(q_frame, z, q_angle)")) << text;
  EXPECT_TRUE(has_line(text, "point b_o = a_o + q_1*q_frame.x + q_2*q_frame.y")) << text;
  EXPECT_TRUE(read_model({"robot.viva", text}).model);
}

TEST(convert_robot, tells_the_way_out_of_a_mistake) {
  const std::string links = link_text("a", "1") + link_text("b", "1") + link_text("c", "1");
  const auto joint = [](const std::string& name, const std::string& type,
                        const std::string& child) {
    return "<joint name='" + name + "' type='" + type + "'><parent link='a'/><child link='" +
           child + "'/></joint>";
  };
  const auto robot = [](const std::string& inside) {
    return "<robot name='r'>" + inside + "</robot>";
  };
  EXPECT_EQ(error_of(robot(links + joint("q", "revolut", "b"))),
            "there is no joint of the type 'revolut'; did you mean 'revolute'?");
  EXPECT_EQ(
      error_of(robot(link_text("arm", "1") + link_text("a", "1") + joint("q", "fixed", "arn"))),
      "there is no link 'arn'; did you mean 'arm'?");
  EXPECT_EQ(error_of(robot(links + joint("q", "revolute", "b") + joint("q", "revolute", "c"))),
            "the joint 'q' stands twice; the first is in line 1");
  EXPECT_EQ(error_of(robot(links + link_text("b", "1"))),
            "the link 'b' stands twice; the first is in line 1");
  EXPECT_EQ(error_of(robot(link_text("a", "-1"))), "the mass of the link 'a' is below zero; ");
  EXPECT_NE(error_of(robot(links)).find("join them: <joint"), std::string::npos);
  EXPECT_NE(error_of("<robot name='\xe9'><link name='a'/></robot>").find("not valid UTF-8"),
            std::string::npos);
}

TEST(convert_robot, draws_what_a_file_shows) {
  const std::string box =
      "<visual><origin xyz='0 0 1' rpy='0 0 0.5'/><geometry><box size='1 2 "
      "3'/></geometry></visual>";
  const std::string mesh =
      "<visual><geometry><mesh filename='package://arm/b.stl' scale='0.1 0.1 "
      "0.1'/></geometry></visual>";
  const std::string xml = "<robot name='r'><link name='a'>" + box + mesh + "</link></robot>";
  RobotOptions options;
  options.files.find_mesh = [](const std::string& name) {
    return name == "package://arm/b.stl" ? "arm/b.stl" : "";
  };
  const std::string text = convert_text(xml, options);
  EXPECT_TRUE(has_line(
      text,
      "picture a_picture of a at a_o + 1 m*a.z, box 1 m, 2 m, 3 m, turned 0 rad, 0 rad, 0.5 rad"))
      << text;
  EXPECT_TRUE(has_line(text, "picture a_picture_2 of a at a_o, mesh \"arm/b.stl\", scale 0.1"))
      << text;
  const std::string without = convert_text(xml);
  EXPECT_EQ(without.find("mesh \""), std::string::npos) << without;
  EXPECT_NE(without.find("# not drawn"), std::string::npos) << without;
}

TEST(convert_robot, draws_capsules_from_joint_to_joint_where_a_file_shows_nothing) {
  const std::string text = convert_text(one_joint("<origin xyz='0.3 0 0.4'/>"));
  EXPECT_NE(text.find("picture a_picture of a at a_o + 0.15 m*a.x + 0.2 m*a.z, capsule radius 0.06 "
                      "m, length 0.5 m along z, turned "),
            std::string::npos)
      << text;
  EXPECT_TRUE(read_model({"robot.viva", text}).model);
}

// MuJoCo merges sections that stand twice; the last attribute counts.
TEST(convert_robot, reads_every_section_of_mjcf_that_stands_twice) {
  const std::string text = mjcf(
      "<compiler angle='radian'/><compiler eulerseq='zyx'/><option gravity='0 0 -5'/><option "
      "timestep='1'/>"
      "<default><geom density='500'/></default><default><joint damping='0.2'/></default>"
      "<worldbody><body name='a' euler='0 0 1'><joint name='p'/><geom type='box' size='1 1 "
      "1'/></body></worldbody>"
      "<worldbody><body name='b'><joint name='q'/><geom size='1'/></body></worldbody>");
  EXPECT_TRUE(has_line(text, "parameter g = 5 m/s^2")) << text;
  EXPECT_NE(text.find("rotate(N, x, 1 rad)"), std::string::npos) << text;
  EXPECT_NE(text.find("mass 4000 kg"), std::string::npos) << text;
  EXPECT_TRUE(has_line(text, "damper q_damper on q, rate 0.2 N*m*s")) << text;
}

TEST(convert_robot, takes_poses_and_classes_from_frames_of_mjcf) {
  const std::string text = mjcf(
      "<default><default class='c'><geom size='0.5'/></default></default><worldbody><frame pos='1 "
      "0 0'>"
      "<body name='a' pos='0 2 0'><joint name='q'/><frame pos='0 0 3' childclass='c'><geom "
      "mass='4'/></frame></body>"
      "</frame></worldbody>");
  EXPECT_TRUE(has_line(text, "point a_o = No + 1 m*N.x + 2 m*N.y")) << text;
  EXPECT_NE(text.find("body a at a_o + 3 m*a.z, mass 4 kg"), std::string::npos) << text;
}

TEST(convert_robot, honours_what_mjcf_switches_off_and_what_it_does_not_weigh) {
  const std::string body =
      "<worldbody><body name='a'><joint name='q' damping='1' stiffness='2'/><geom size='1' "
      "mass='3'/>"
      "<geom size='1' mass='5' group='4'/></body></worldbody>";
  const std::string text = mjcf(
      "<compiler inertiagrouprange='0 2'/><option><flag gravity='disable' "
      "passive='disable'/></option>" +
      body);
  EXPECT_EQ(text.find("gravity"), std::string::npos) << text;
  EXPECT_EQ(text.find("damper"), std::string::npos) << text;
  EXPECT_EQ(text.find("potential"), std::string::npos) << text;
  EXPECT_NE(text.find("mass 3 kg"), std::string::npos) << text;
  EXPECT_NE(mjcf("<worldbody><body name='a'><joint/><geom size='1' "
                 "shellinertia='true'/></body></worldbody>")
                .find("'shellinertia' is not read"),
            std::string::npos);
}

TEST(convert_robot, writes_replicas_of_mjcf_out) {
  const std::string text = mjcf(
      "<worldbody><replicate count='12' sep='-' offset='1 0 0'><body name='a'><joint "
      "name='q'/><geom mass='2' size='1'/></body></replicate></worldbody>");
  EXPECT_TRUE(has_line(text, "coordinate q_00")) << text;
  EXPECT_TRUE(has_line(text, "point a_11_o = No + 11 m*N.x")) << text;
  EXPECT_NE(mjcf("<worldbody><replicate count='1e9'><body/></replicate></worldbody>")
                .find("replicates too much"),
            std::string::npos);
  EXPECT_NE(mjcf("<worldbody><replicate count='0.5'><body/></replicate></worldbody>")
                .find("a whole number"),
            std::string::npos);
}

TEST(convert_robot, includes_the_parts_of_mjcf) {
  RobotOptions options;
  options.files.read_part = [](const std::string& name) -> Result<SourceText, std::string> {
    if (name == "circle.xml")
      return SourceText{name, "<mujoco><include file='circle.xml'/></mujoco>"};
    if (name == "bad.xml")
      return SourceText{name,
                        "<mujoco><worldbody><body><geom size='x'/></body></worldbody></mujoco>"};
    if (name != "arm.xml") return std::string("is not there");
    return SourceText{name,
                      "<mujoco><worldbody><body name='a'><joint name='q'/><geom mass='4' "
                      "size='1'/></body></worldbody></mujoco>"};
  };
  const auto convert = [&](const std::string& file) {
    return convert_text("<mujoco><include file='" + file + "'/></mujoco>", options);
  };
  EXPECT_TRUE(has_line(convert("arm.xml"), "coordinate q")) << convert("arm.xml");
  EXPECT_NE(convert("leg.xml").find("\"leg.xml\" is not there"), std::string::npos);
  EXPECT_NE(convert("circle.xml").find("is included already"), std::string::npos);
  EXPECT_NE(convert("bad.xml").find("bad.xml:1"), std::string::npos) << convert("bad.xml");
}

TEST(convert_robot, refuses_macros_that_nobody_expanded) {
  const std::string text = convert_text(
      "<robot name='r' xmlns:xacro='x'><xacro:leg side='left'/><link name='a'/></robot>");
  EXPECT_NE(text.find("<xacro:leg> is a macro"), std::string::npos) << text;
  EXPECT_NE(text.find("xacro robot.urdf.xacro"), std::string::npos) << text;
}

std::string sdf_arm(const std::string& inertial) {
  return "<model name='arm'><link name='l'>" + inertial +
         "</link><joint name='q' type='revolute'><parent>world</parent><child>l</child><axis>"
         "<xyz>0 1 0</xyz></axis></joint></model>";
}

// A world has a ground, which is no robot.
TEST(convert_robot, takes_the_model_of_sdf_that_moves) {
  const std::string wall = "<model name='wall'><static>true</static><link name='w'/></model>";
  const std::string text =
      convert_text("<sdf><world name='w'><include><uri>model://sun</uri></include>" + wall +
                   sdf_arm("") + "</world></sdf>");
  EXPECT_TRUE(has_line(text, "coordinate q")) << text;
  EXPECT_EQ(text.find("wall"), std::string::npos) << text;
  EXPECT_NE(
      convert_text("<sdf><world name='w'><include><uri>model://sun</uri></include></world></sdf>")
          .find("no <model> that moves"),
      std::string::npos);
}

TEST(convert_robot, weighs_what_a_link_of_sdf_collides_with) {
  const std::string text = convert_text(
      "<sdf>" +
      sdf_arm("<inertial auto='true'><density>100</density></inertial><collision name='a'><pose>0 "
              "0 1 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry></collision>") +
      "</sdf>");
  EXPECT_NE(text.find("l_o + 1 m*l.z, mass 600 kg"), std::string::npos) << text;
  EXPECT_NE(text.find("650 kg*m^2, 500 kg*m^2, 250 kg*m^2"), std::string::npos) << text;
  EXPECT_NE(convert_text("<sdf>" + sdf_arm("<inertial auto='true'/>") + "</sdf>")
                .find("nothing to weigh"),
            std::string::npos);
}

TEST(convert_robot, includes_models_of_sdf) {
  RobotOptions options;
  options.files.read_part = [](const std::string& name) -> Result<SourceText, std::string> {
    if (name != "hand/model.sdf") return std::string("is not there");
    return SourceText{name,
                      "<sdf><model name='h'><link name='palm'><inertial><mass>3</mass></inertial>"
                      "</link></model></sdf>"};
  };
  const auto convert = [&](const std::string& uri) {
    return convert_text("<sdf><model name='arm'><link name='l'/><include><uri>" + uri +
                            "</uri><name>left</name><pose>0 0 2 0 0 0</pose></include><joint "
                            "name='q' type='revolute'><parent>l</parent><child>left::palm</child>"
                            "<axis><xyz>0 1 0</xyz></axis></joint></model></sdf>",
                        options);
  };
  const std::string text = convert("model://hand");
  EXPECT_TRUE(has_line(text, "point left__palm_o = l_o + 2 m*l.z")) << text;
  EXPECT_NE(text.find("mass 3 kg"), std::string::npos) << text;
  EXPECT_NE(convert("model://foot").find("\"model://foot\" is not there"), std::string::npos);
  EXPECT_NE(convert("https://x.org/hand").find("is not in a file here"), std::string::npos);
}

// A box of 1 x 2 x 3 m as twelve triangles, against the closed form.
TEST(convert_robot, weighs_meshes) {
  Mesh box;
  for (int i = 0; i < 8; ++i)
    box.corners.push_back(
        {i % 2 == 0 ? 0.0F : 1.0F, i / 2 % 2 == 0 ? 0.0F : 2.0F, i < 4 ? 0.0F : 3.0F});
  for (const std::array<std::uint32_t, 4>& side : std::vector<std::array<std::uint32_t, 4>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    box.triangles.push_back({side[0], side[1], side[2]});
    box.triangles.push_back({side[0], side[2], side[3]});
  }
  RobotOptions options;
  options.files.read_mesh = [&](const std::string& name) -> Result<Mesh, std::string> {
    if (name != "box.obj") return std::string("is not there");
    return box;
  };
  const auto convert = [&](const std::string& file, const std::string& kind) {
    return convert_text(
        "<mujoco><asset><mesh name='m' file='" + file + "' " + kind +
            "/></asset><worldbody><body name='a'><joint name='q'/><geom type='mesh' mesh='m' "
            "density='10'/></body></worldbody></mujoco>",
        options);
  };
  for (const std::string kind : {"", "inertia='exact'", "inertia='convex'"}) {
    const std::string text = convert("box.obj", kind);
    EXPECT_NE(text.find("a_o + 0.5 m*a.x + 1 m*a.y + 1.5 m*a.z, mass 60 kg"), std::string::npos)
        << text;
    EXPECT_NE(text.find("65 kg*m^2, 50 kg*m^2, 25 kg*m^2"), std::string::npos) << text;
  }
  EXPECT_NE(convert("box.obj", "inertia='shell'").find("mass 220 kg"), std::string::npos);
  EXPECT_NE(convert("ball.obj", "").find("\"ball.obj\" is not known: it is not there"),
            std::string::npos);
  std::swap(box.corners[0], box.corners[7]);
  EXPECT_NE(convert("box.obj", "inertia='convex'").find("convex hull"), std::string::npos);
}

// A <freejoint> has no damping, whatever the defaults are; a joint of the type free has.
TEST(convert_robot, damps_free_joints_of_mjcf) {
  const std::string defaults = "<default><joint damping='0.5' armature='0.1'/></default>";
  const std::string geom = "<geom size='1'/></body></worldbody>";
  const std::string damped =
      mjcf(defaults + "<worldbody><body name='a'><joint name='q' type='free'/>" + geom);
  EXPECT_NE(damped.find("dissipation q_damper = 0.25 N*m*s*dot("), std::string::npos) << damped;
  EXPECT_NE(damped.find("+ 0.25 N*s/m*(q_x'^2 + q_y'^2 + q_z'^2)"), std::string::npos) << damped;
  EXPECT_TRUE(read_model({"robot.viva", damped}).model);
  const std::string bare =
      mjcf(defaults + "<worldbody><body name='a'><freejoint name='q'/>" + geom);
  EXPECT_EQ(bare.find("dissipation"), std::string::npos) << bare;
}

}  // namespace
}  // namespace visviva
