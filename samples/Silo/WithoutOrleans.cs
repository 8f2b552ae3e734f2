// What is compiled in place of Program.cs with Orleans=off.
Console.WriteLine("This build is without Orleans, so there is no silo to run.");
